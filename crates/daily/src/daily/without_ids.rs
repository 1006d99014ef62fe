//! An export that cannot be read by its ids: whether its decks came again all the same, at times that tell them apart.

use std::path::Path;

use crate::daily::host::{DayAudit, Host};
use crate::daily::job::DayJob;
use crate::daily::resolved::{is_stream, understand};
use crate::monitoring::explained::Explained;
use crate::monitoring::known;
use crate::monitoring::known::day::Day;
use crate::monitoring::known::watched::{Shared, remembered};
use crate::monitoring::record_times::seconds;
use deckproof_audit::session::Unwatched;
use deckproof_deck::text::decimal::thousands;

impl DayJob {
    /// That decks came again at other times in an export that its ids, for this reason, keep from being read. A record that an export
    /// holds twice has one time; ids of tables, of sessions, or out of a spreadsheet are the same for many hands.
    pub(super) fn came_again(
        &self,
        audit: &DayAudit,
        (folder, reason): (&Path, &str),
        host: &Host,
    ) -> Option<Explained> {
        let mut config = self.config.clone();
        // A program that is started again need not give the same records.
        let has_ids = config.remove("id_column") && !is_stream(&config);
        if !has_ids || config.values("time_column").is_empty() {
            return None;
        }
        if let Some(records) = audit.request.source.settings.text("records") {
            config.set("records", records.to_owned());
        }
        let DayAudit { request, .. } = understand("", &config, host.options).ok()?;
        let day = Shared::new(Day::new(&folder.join(known::FOLDER)));
        let asked = request.ask_through(None, None, &|_| {}, |source| remembered(source, day.clone(), None));
        // Whatever ends the reading: the decks of before are there.
        let _ = asked.ok()?.session.answer(host.threads(&self.audit), &Unwatched);
        let (mut day, zone) = (day.day(), &self.day.zone);
        let marks = day.marks().cloned()?;
        let time = |place: u64| marks.time(place).and_then(|time| Some((seconds(&time, zone)?, time)));
        let (mut pairs, mut first) = (0, None::<[(u64, String); 2]>);
        day.each_repeated(&mut |one, other| {
            let times = time(one).zip(time(other)).filter(|((one, _), (other, _))| one != other);
            let Some(((_, at), (_, again))) = times else { return };
            pairs += 1;
            if first.as_ref().is_none_or(|[(place, _), _]| one < *place) {
                first = Some([(one, at), (other, again)]);
            }
        })
        .ok()?;
        let [(one, at), (other, again)] = first?;
        let more = if pairs > 1 {
            format!(" (and {} more such pairs)", thousands(pairs - 1))
        } else {
            String::new()
        };
        Some(Explained::or_dealt(format!(
            "records {} ({at}) and {} ({again}) have one deck at two times{more}: either the shuffler dealt the same decks again (a fixed \
             seed, a saved state): then stop dealing; or the times are not those of the deals, and a hand was written twice: export every \
             hand once, with the time of its deal, and run this day again. By id_column the export is not read: {reason}",
            thousands(one + 1),
            thousands(other + 1)
        )))
    }
}
