//! Witnesses of a service: all are asked at once, a round ends as soon as the quorum is there, and one that stays silent is left
//! out for a while, so that it does not cost every round its whole wait.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::exchange::Address;
use crate::remote::witnesses::{Cosigning, RemoteWitness, WitnessAnswer, WitnessFault};
use deckproof_verify::log::note::Signature;
use deckproof_verify::log::vkey::Vkey;

/// Who fails within this time costs little, and is asked again in the next round.
const QUICK: Duration = Duration::from_secs(1);

/// How long a witness that did not answer is left out, the first time; each further time twice as long, up to the most.
const PAUSE: Duration = Duration::from_secs(5);
const PAUSE_MAX: Duration = Duration::from_secs(60);

/// What all are asked.
#[derive(Clone)]
pub struct PanelQuestion {
    /// The log's folder.
    pub log: PathBuf,
    /// Its signed checkpoint.
    pub note: String,
    /// The keys of witnesses.
    pub keys: Arc<Vec<Vkey>>,
    /// When nobody waits any more.
    pub until: Instant,
    /// The time of this machine in POSIX seconds.
    pub now: fn() -> u64,
}

/// What is worth a line.
pub enum PanelNews<'a> {
    /// A witness gave nothing.
    Failed(&'a WitnessAnswer),
    /// It did not answer in time, and is left out for so long.
    LeftOut(&'a Address, Duration),
    /// One that was left out has answered.
    Back(&'a Address),
}

/// One witness, which a thread of its own asks.
struct Member {
    address: Address,
    questions: Sender<(u64, PanelQuestion)>,
    /// Whether a question is with it.
    is_asked: bool,
    /// Until when it is left out, and for how long.
    out: Option<(Instant, Duration)>,
}

/// An answer: whose, to the question of which round, after how long.
struct PanelAnswer {
    member: usize,
    round: u64,
    answer: WitnessAnswer,
    took: Duration,
}

/// All witnesses of a service.
pub struct WitnessPanel {
    members: Vec<Member>,
    answers: Receiver<PanelAnswer>,
    round: u64,
}

impl WitnessPanel {
    /// Witnesses that were not asked yet.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn of(addresses: Vec<Address>) -> std::io::Result<WitnessPanel> {
        let (sender, answers) = channel();
        let mut members = Vec::new();
        for (member, address) in addresses.into_iter().enumerate() {
            let (questions, asked) = channel();
            let (witness, sender) = (RemoteWitness::new(address.clone()), sender.clone());
            let asking = move || answer_all(member, witness, &asked, &sender);
            thread::Builder::new().name("witness".to_owned()).spawn(asking)?;
            members.push(Member { address, questions, is_asked: false, out: None });
        }
        Ok(WitnessPanel { members, answers, round: 0 })
    }

    /// Asks all that are not left out, and waits until their lines are enough, all have answered or the time is up.
    pub fn ask(
        &mut self,
        question: &PanelQuestion,
        is_enough: impl Fn(&[Signature]) -> bool,
        mut report: impl FnMut(&PanelNews),
    ) -> Vec<Signature> {
        self.round += 1;
        let mut lines = Vec::new();
        // What came after its round had ended.
        while let Ok(late) = self.answers.try_recv() {
            self.take(late, &mut lines, &mut report);
        }
        let now = Instant::now();
        for member in &mut self.members {
            let is_in = member.out.is_none_or(|(until, _)| until <= now);
            if is_in && !member.is_asked {
                member.is_asked = member.questions.send((self.round, question.clone())).is_ok();
            }
        }
        while !is_enough(&lines) && self.is_worth_waiting() {
            let left = question.until.saturating_duration_since(Instant::now());
            match self.answers.recv_timeout(left) {
                Ok(answer) => self.take(answer, &mut lines, &mut report),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        if !is_enough(&lines) {
            self.leave_out_silent(&mut report);
        }
        lines
    }

    /// The addresses of those that are left out.
    pub fn left_out(&self) -> Vec<Address> {
        let out = self.members.iter().filter(|member| member.out.is_some());
        out.map(|member| member.address.clone()).collect()
    }

    /// Whether anybody has a question who is not left out.
    fn is_worth_waiting(&self) -> bool {
        let now = Instant::now();
        self.members.iter().any(|member| member.is_asked && member.out.is_none_or(|(until, _)| until <= now))
    }

    fn take(
        &mut self,
        answered: PanelAnswer,
        lines: &mut Vec<Signature>,
        report: &mut impl FnMut(&PanelNews),
    ) {
        let PanelAnswer { member, round, answer, took } = answered;
        let is_silent = matches!(&answer.lines, Err(WitnessFault::Exchange(_))) && took > QUICK;
        self.members[member].is_asked = false;
        match (is_silent, self.members[member].out.is_some()) {
            (true, _) => {
                report(&PanelNews::Failed(&answer));
                return self.leave_out(member, report);
            }
            (false, true) if answer.lines.is_ok() => {
                self.members[member].out = None;
                report(&PanelNews::Back(&answer.address));
            }
            _ => {}
        }
        match answer.lines {
            Ok(given) if round == self.round => lines.extend(given),
            Ok(_) => {}
            Err(_) => report(&PanelNews::Failed(&answer)),
        }
    }

    /// Those whose answer was waited for in vain.
    fn leave_out_silent(&mut self, report: &mut impl FnMut(&PanelNews)) {
        for member in 0..self.members.len() {
            if self.members[member].is_asked {
                self.leave_out(member, report);
            }
        }
    }

    fn leave_out(&mut self, member: usize, report: &mut impl FnMut(&PanelNews)) {
        let member = &mut self.members[member];
        let now = Instant::now();
        let pause = match member.out {
            Some((until, _)) if until > now => return,
            Some((_, pause)) => (2 * pause).min(PAUSE_MAX),
            None => PAUSE,
        };
        member.out = Some((now + pause, pause));
        report(&PanelNews::LeftOut(&member.address, pause));
    }
}

/// One witness after the other question, as long as somebody asks.
fn answer_all(
    member: usize,
    mut witness: RemoteWitness,
    asked: &Receiver<(u64, PanelQuestion)>,
    answers: &Sender<PanelAnswer>,
) {
    while let Ok((round, question)) = asked.recv() {
        let PanelQuestion { log, note, keys, until, now } = &question;
        let begin = Instant::now();
        let lines = witness.ask(Cosigning { log, note, keys, until: *until, now: *now });
        let answer = WitnessAnswer { address: witness.address().clone(), lines };
        if answers.send(PanelAnswer { member, round, answer, took: begin.elapsed() }).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
