//! What a package keeps of a customer's files beside his decks, and of test programs that were run on words.

use crate::external;
use crate::external::listing::Attached;
use crate::project::frozen::Frozen;
use crate::project::package::fault::Fault;
use crate::project::package::inputs::{ItemPairs, ItemWords, Read, TestMade, bytes, kept, unsound};
use crate::project::settings::Project;
use crate::project::settings::supplied::SuppliedKind;
use crate::project::supplied::pairs::{PairsRecord, pairs_name, table_name};
use crate::project::supplied::{WordsRecord, words_name};
use crate::project::tested::{RunRecord, output_name, run_name, run_words};
use deckproof_audit::certificate::Tool;
use deckproof_files::file::sha256;

/// What was found in the customer's files, in the order of the frozen campaign.
pub(super) fn read_supplied(
    read: Read,
    project: &Project,
    frozen: &Frozen,
) -> Result<(Vec<ItemWords>, Vec<ItemPairs>), Fault> {
    let (mut words, mut pairs) = (Vec::new(), Vec::new());
    for own in &frozen.supplied {
        let item = project.item.iter().find(|item| item.id == own.item);
        let item = item.expect("the frozen campaign is of this project");
        match own.holds {
            SuppliedKind::Words => {
                let asked = item.words.as_ref().expect("the project names the file");
                let fault = |record: &WordsRecord| record.fault(asked, &own.sha256);
                words.push((own.item.clone(), kept(read, &words_name(&own.item), fault)?));
            }
            SuppliedKind::Pairs => {
                let asked = item.pairs.as_ref().expect("the project names the file");
                let fault = |record: &PairsRecord| record.fault(asked, &own.sha256);
                let record = kept(read, &pairs_name(&own.item), fault)?;
                let name = table_name(&own.item);
                let table = bytes(read, &name)?;
                if sha256(&table) != own.sha256 {
                    return Err(unsound(&name, "it is not the table whose hash was frozen"));
                }
                pairs.push((own.item.clone(), record, table));
            }
        }
    }
    Ok((words, pairs))
}

/// The runs of test programs, and the results of those whose output can be read.
pub(super) fn read_tests(
    read: Read,
    project: &Project,
    frozen: &Frozen,
    tool: &Tool,
    attached: &mut Vec<Attached>,
) -> Result<Vec<TestMade>, Fault> {
    let mut tests = Vec::new();
    for asked in &project.run {
        let record = kept(read, &run_name(&asked.id), |record: &RunRecord| match run_words(frozen, asked) {
            Some(words) => record.fault(asked, &words),
            None => Some("its words were not frozen".to_owned()),
        })?;
        let mut made = TestMade { record, output: None, unread: None };
        if let Some(wanted) = &made.record.output_sha256 {
            let file = output_name(&asked.id);
            let output = bytes(read, &file)?;
            if sha256(&output) != *wanted {
                return Err(unsound(&file, "it is not the output whose hash the record of its run has"));
            }
            match asked.program.map(|program| external::read(program, &output)) {
                None => {}
                Some(Err(error)) => made.unread = Some(error),
                Some(Ok(results)) => attached.push(Attached {
                    results,
                    file,
                    sha256: wanted.clone(),
                    by: Some(format!("deckproof {}", tool.version)),
                    of: Some(asked.item.clone()),
                    date: None,
                }),
            }
            made.output = Some(output);
        }
        tests.push(made);
    }
    Ok(tests)
}
