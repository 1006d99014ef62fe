//! A simulated disk that knows what is durable and what is only in the memory of the machine; at a chosen
//! operation it fails, tears the write, dies, or the power is cut.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::rc::Rc;

use deckproof::file::lock::{LockError, PathLock};
use deckproof::log_folder::files::Files;
use deckproof::table::storage::Storage;
use zeroize::Zeroizing;

/// What happens at the chosen operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// It fails and does nothing.
    Fail,
    /// It fails half done.
    Tear,
    /// The process dies before it; what was written stays.
    Kill,
    /// The power goes before it; only what was synced stays.
    Power,
    /// The power goes before it; names and half of what was not synced stay as well.
    PowerHalfWritten,
}

pub const CUTS: [Cut; 5] = [Cut::Fail, Cut::Tear, Cut::Kill, Cut::Power, Cut::PowerHalfWritten];

/// A file: what is in memory, and what is durable.
#[derive(Clone, Default)]
struct Content {
    bytes: Vec<u8>,
    durable: Vec<u8>,
}

/// A disk: names in memory and durable names, both leading to files.
#[derive(Clone, Default)]
pub struct Disk {
    files: Vec<Content>,
    pub names: BTreeMap<String, usize>,
    durable_names: BTreeMap<String, usize>,
    pub operations: usize,
    pub cut: Option<(usize, Cut)>,
    is_down: bool,
}

impl Disk {
    /// Counts an operation; the chosen one, and all after it, are not done. Says whether to tear it.
    fn step(&mut self) -> io::Result<bool> {
        let error = || io::Error::other("cut short");
        if self.is_down {
            return Err(error());
        }
        self.operations += 1;
        match self.cut {
            Some((at, Cut::Tear)) if at == self.operations => {
                self.is_down = true;
                Ok(true)
            }
            Some((at, _)) if at == self.operations => {
                self.is_down = true;
                Err(error())
            }
            _ => Ok(false),
        }
    }

    /// An operation that is done or not, so that tearing it is failing.
    fn whole_step(&mut self) -> io::Result<()> {
        if self.step()? { Err(io::Error::other("failed")) } else { Ok(()) }
    }

    fn file(&mut self, name: &str) -> io::Result<&mut Content> {
        let at = *self.names.get(name).ok_or(io::Error::from(io::ErrorKind::NotFound))?;
        Ok(&mut self.files[at])
    }

    /// What a new process finds.
    pub fn restart(&mut self) {
        match self.cut {
            Some((_, Cut::Power)) => {
                self.names = self.durable_names.clone();
                self.files.iter_mut().for_each(|file| file.bytes = file.durable.clone());
            }
            Some((_, Cut::PowerHalfWritten)) => {
                for file in &mut self.files {
                    let (synced, written) = (file.durable.len(), file.bytes.len());
                    file.bytes.truncate(synced.min(written) + written.saturating_sub(synced) / 2);
                }
            }
            _ => {}
        }
        self.files.iter_mut().for_each(|file| file.durable = file.bytes.clone());
        self.durable_names = self.names.clone();
        (self.is_down, self.cut) = (false, None);
    }
}

/// A table's folder on the disk.
#[derive(Clone)]
pub struct Shim {
    pub disk: Rc<RefCell<Disk>>,
    pub table: &'static str,
}

impl Shim {
    fn name(&self, file: &str) -> String {
        format!("{}/{file}", self.table)
    }

    pub fn bytes(&self, file: &str) -> Vec<u8> {
        let mut disk = self.disk.borrow_mut();
        disk.file(&self.name(file)).map(|file| file.bytes.clone()).unwrap_or_default()
    }
}

/// The part of a write that is done.
fn part(bytes: &[u8], is_torn: bool) -> &[u8] {
    if is_torn { &bytes[..bytes.len() / 2] } else { bytes }
}

fn done(is_torn: bool) -> io::Result<()> {
    if is_torn { Err(io::Error::other("torn")) } else { Ok(()) }
}

impl Storage for Shim {
    fn read(&self, file: &str, offset: u64) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
        let mut disk = self.disk.borrow_mut();
        let content = disk.file(&self.name(file)).ok().map(|file| file.bytes.clone());
        Ok(content.map(|bytes| Zeroizing::new(bytes.get(offset as usize..).unwrap_or_default().to_vec())))
    }

    fn length(&self, file: &str) -> io::Result<Option<u64>> {
        Ok(self.disk.borrow_mut().file(&self.name(file)).ok().map(|file| file.bytes.len() as u64))
    }

    fn create(&mut self, file: &str, bytes: &[u8]) -> io::Result<()> {
        let (mut disk, name) = (self.disk.borrow_mut(), self.name(file));
        let is_torn = disk.step()?;
        assert!(!disk.names.contains_key(&name), "{name} is created over a file");
        disk.files.push(Content { bytes: part(bytes, is_torn).to_vec(), durable: Vec::new() });
        let at = disk.files.len() - 1;
        disk.names.insert(name, at);
        done(is_torn)
    }

    fn append(&mut self, file: &str, bytes: &[u8]) -> io::Result<()> {
        let mut disk = self.disk.borrow_mut();
        let is_torn = disk.step()?;
        disk.file(&self.name(file))?.bytes.extend_from_slice(part(bytes, is_torn));
        done(is_torn)
    }

    fn overwrite(&mut self, file: &str, bytes: &[u8]) -> io::Result<()> {
        let mut disk = self.disk.borrow_mut();
        let is_torn = disk.step()?;
        let bytes = part(bytes, is_torn);
        disk.file(&self.name(file))?.bytes[..bytes.len()].copy_from_slice(bytes);
        done(is_torn)
    }

    fn truncate(&mut self, file: &str, length: u64) -> io::Result<()> {
        let mut disk = self.disk.borrow_mut();
        disk.whole_step()?;
        disk.file(&self.name(file))?.bytes.truncate(length as usize);
        Ok(())
    }

    fn sync(&mut self, file: &str) -> io::Result<()> {
        let mut disk = self.disk.borrow_mut();
        disk.whole_step()?;
        let file = disk.file(&self.name(file))?;
        file.durable = file.bytes.clone();
        Ok(())
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        let mut disk = self.disk.borrow_mut();
        disk.whole_step()?;
        let at = disk.names.remove(&self.name(from)).ok_or(io::Error::from(io::ErrorKind::NotFound))?;
        disk.names.insert(self.name(to), at);
        Ok(())
    }

    fn remove(&mut self, file: &str) -> io::Result<()> {
        let mut disk = self.disk.borrow_mut();
        disk.whole_step()?;
        disk.names.remove(&self.name(file)).map(|_| ()).ok_or(io::Error::from(io::ErrorKind::NotFound))
    }

    fn sync_folder(&mut self, folder: &str) -> io::Result<()> {
        let mut disk = self.disk.borrow_mut();
        disk.whole_step()?;
        let below = self.name(folder) + "/";
        let names: BTreeMap<String, usize> = disk.names.clone();
        disk.durable_names.retain(|name, _| !name.starts_with(&below));
        disk.durable_names.extend(names.into_iter().filter(|(name, _)| name.starts_with(&below)));
        Ok(())
    }
}

/// A log's folder on the same disk. Who writes is the test's matter.
#[derive(Clone)]
pub struct LogShim(pub Rc<RefCell<Disk>>);

impl LogShim {
    fn name(name: &str) -> String {
        format!("log/{name}")
    }
}

impl Files for LogShim {
    fn lock(&self) -> Result<Option<PathLock>, LockError> {
        Ok(None)
    }

    fn read(&self, name: &str, _bytes_max: u64) -> io::Result<Vec<u8>> {
        Ok(self.0.borrow_mut().file(&LogShim::name(name))?.bytes.clone())
    }

    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let (mut disk, name) = (self.0.borrow_mut(), LogShim::name(name));
        let is_torn = disk.step()?;
        let bytes = part(bytes, is_torn).to_vec();
        match disk.names.get(&name).copied() {
            // A file that is there is emptied first, and keeps its durable bytes until it is synced.
            Some(at) => disk.files[at].bytes = bytes,
            None => {
                disk.files.push(Content { bytes, durable: Vec::new() });
                let at = disk.files.len() - 1;
                disk.names.insert(name, at);
            }
        }
        done(is_torn)
    }

    fn sync(&self, names: &[String]) -> io::Result<()> {
        let mut disk = self.0.borrow_mut();
        for name in names {
            disk.whole_step()?;
            let file = disk.file(&LogShim::name(name))?;
            file.durable = file.bytes.clone();
        }
        disk.whole_step()?;
        for name in names {
            let name = LogShim::name(name);
            let at = disk.names[&name];
            disk.durable_names.insert(name, at);
        }
        Ok(())
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let mut disk = self.0.borrow_mut();
        disk.whole_step()?;
        let at = disk.names.remove(&LogShim::name(from)).ok_or(io::Error::from(io::ErrorKind::NotFound))?;
        disk.names.insert(LogShim::name(to), at);
        Ok(())
    }

    fn sync_names(&self) -> io::Result<()> {
        let mut disk = self.0.borrow_mut();
        disk.whole_step()?;
        let is_here = |name: &str| name.strip_prefix("log/").is_some_and(|rest| !rest.contains('/'));
        let names: BTreeMap<String, usize> = disk.names.clone();
        disk.durable_names.retain(|name, _| !is_here(name));
        disk.durable_names.extend(names.into_iter().filter(|(name, _)| is_here(name)));
        Ok(())
    }

    fn remove_folder(&self, name: &str) {
        let mut disk = self.0.borrow_mut();
        if disk.whole_step().is_ok() {
            let below = LogShim::name(name) + "/";
            disk.names.retain(|name, _| !name.starts_with(&below));
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        PathBuf::from(LogShim::name(name))
    }
}
