//! What a package keeps of a customer's files beside his decks, and of test programs that were run on words.

use crate::external;
use crate::external::listing::Attached;
use crate::project::frozen::{Frozen, FrozenSupplied};
use crate::project::package::inputs::{
    CustomerFile, CustomerRecord, InputsError, Read, TestMade, bytes, kept, unsound,
};
use crate::project::settings::Project;
use crate::project::settings::item::Item;
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
) -> Result<Vec<CustomerFile>, InputsError> {
    let read_one = |own: &FrozenSupplied| {
        let item = project.item.iter().find(|item| item.id == own.item);
        let item = item.expect("the frozen campaign is of this project");
        let shows = match own.holds {
            SuppliedKind::Words => read_words(read, item, own)?,
            SuppliedKind::Pairs => read_pairs(read, item, own)?,
        };
        Ok(CustomerFile { item: own.item.clone(), shows })
    };
    frozen.supplied.iter().map(read_one).collect()
}

fn read_words(read: Read, item: &Item, own: &FrozenSupplied) -> Result<CustomerRecord, InputsError> {
    let (file, asked) = (words_name(&own.item), item.words.as_ref().expect("the project names the file"));
    let record = kept(read, &file, |record: &WordsRecord| record.fault(asked, &own.sha256))?;
    Ok(CustomerRecord::Words(record))
}

fn read_pairs(read: Read, item: &Item, own: &FrozenSupplied) -> Result<CustomerRecord, InputsError> {
    let (file, asked) = (pairs_name(&own.item), item.pairs.as_ref().expect("the project names the file"));
    let record = kept(read, &file, |record: &PairsRecord| record.fault(asked, &own.sha256))?;
    let table = table_name(&own.item);
    let bytes = bytes(read, &table)?;
    if sha256(&bytes) == own.sha256 {
        Ok(CustomerRecord::Pairs(record, bytes))
    } else {
        Err(unsound(&table, "it is not the table whose hash was frozen"))
    }
}

/// The runs of test programs, and the results of those whose output can be read.
pub(super) fn read_tests(
    read: Read,
    project: &Project,
    frozen: &Frozen,
    tool: &Tool,
    attached: &mut Vec<Attached>,
) -> Result<Vec<TestMade>, InputsError> {
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
