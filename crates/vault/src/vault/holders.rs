//! Who holds a share: the public keys that age encrypts to, and the keys that open. Beside it only a token's keys name age.

use std::io::{self, Read, Write};
use std::path::Path;

use age::secrecy::ExposeSecret;
use age::x25519::{Identity, Recipient};
use age::{DecryptError, Decryptor, Encryptor};
use zeroize::Zeroizing;

#[cfg(feature = "hsm")]
use crate::vault::token::{self, TokenKey, TokenPlace};
use crate::vault::{SHARE_BYTES_MAX, VaultError};
use deckproof_files::file::{TEXT_BYTES_MAX, read_limited};

/// A share, and the public key of its holder.
pub(super) type OpenedShare = (Zeroizing<Vec<u8>>, String);

/// How a secret key of age begins.
const SECRET: &str = "AGE-SECRET-KEY-";

/// How an encrypted file of age begins, plain or in letters.
const ENCRYPTED: [&str; 2] = ["age-encryption.org/", "-----BEGIN AGE ENCRYPTED FILE-----"];

/// The holders of one share: each of them opens it.
#[derive(Clone)]
pub struct Holders {
    recipients: Vec<Recipient>,
}

/// A key of one person, in a file or in a token.
enum Key {
    File(Identity),
    #[cfg(feature = "hsm")]
    Token(TokenKey),
}

impl Key {
    fn identity(&self) -> &dyn age::Identity {
        match self {
            Key::File(identity) => identity,
            #[cfg(feature = "hsm")]
            Key::Token(key) => key,
        }
    }

    fn public(&self) -> String {
        match self {
            Key::File(identity) => identity.to_public().to_string(),
            #[cfg(feature = "hsm")]
            Key::Token(key) => key.to_string(),
        }
    }
}

/// The keys of one person.
///
/// No `Debug`, `Display` or `Clone`; wiped when dropped, as age does.
pub struct Identities {
    keys: Vec<Key>,
}

/// A text that a person named, wiped when dropped.
fn read(path: &Path, wanted: &'static str) -> Result<Zeroizing<String>, VaultError> {
    let bytes = Zeroizing::new(read_limited(path, TEXT_BYTES_MAX).map_err(VaultError::file(path))?);
    let unfit = |found: &str| VaultError::Unfit { path: path.to_owned(), found: found.to_owned(), wanted };
    match std::str::from_utf8(&bytes) {
        Ok(text) if ENCRYPTED.iter().any(|start| text.starts_with(start)) => Err(unfit("an encrypted file")),
        Ok(text) => Ok(Zeroizing::new(text.to_owned())),
        Err(_) if bytes.starts_with(ENCRYPTED[0].as_bytes()) => Err(unfit("an encrypted file")),
        Err(_) => Err(unfit("no text")),
    }
}

/// The lines that say something.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

impl Holders {
    /// Reads a file of recipients, one `age1…` a line.
    ///
    /// # Errors
    /// [`VaultError`]; a line is never repeated.
    pub fn read(path: &Path) -> Result<Holders, VaultError> {
        const WANTED: &str = "public keys of age, one age1… a line (age-keygen -y prints that of a key)";
        let text = read(path, WANTED)?;
        let unfit = |found: String| VaultError::Unfit { path: path.to_owned(), found, wanted: WANTED };
        let mut recipients = Vec::new();
        for (number, line) in lines(&text) {
            if line.starts_with(SECRET) {
                return Err(unfit(format!("a secret key in line {number}")));
            }
            let recipient = line.parse().map_err(|_| unfit(format!("none in line {number}")))?;
            recipients.push(recipient);
        }
        if recipients.is_empty() { Err(unfit("none".to_owned())) } else { Ok(Holders { recipients }) }
    }

    /// A public key that both have: who has it would open both shares.
    pub fn in_common(&self, other: &Holders) -> Option<String> {
        let names: Vec<String> = other.recipients.iter().map(ToString::to_string).collect();
        self.recipients.iter().map(ToString::to_string).find(|name| names.contains(name))
    }

    /// Encrypts a share to each of them.
    pub(super) fn seal(&self, share: &[u8]) -> io::Result<Vec<u8>> {
        let recipients = self.recipients.iter().map(|recipient| recipient as &dyn age::Recipient);
        let encryptor =
            Encryptor::with_recipients(recipients).map_err(|_| io::Error::other("age encrypts to nobody"))?;
        let mut sealed = Vec::new();
        let mut writer = encryptor.wrap_output(&mut sealed)?;
        writer.write_all(share)?;
        writer.finish()?;
        Ok(sealed)
    }
}

/// A new key for one person.
///
/// No `Debug`, `Display` or `Clone`; wiped when dropped.
pub struct NewKey {
    /// The file of the key, as age-keygen writes it.
    pub file: Zeroizing<String>,
    /// Its public key, for a file of holders.
    pub public: String,
}

impl NewKey {
    /// A key that nobody could know before.
    pub fn draw() -> NewKey {
        let identity = Identity::generate();
        let public = identity.to_public().to_string();
        let secret = identity.to_string();
        let file = Zeroizing::new(format!("# public key: {public}\n{}\n", secret.expose_secret()));
        NewKey { file, public }
    }
}

impl Identities {
    /// Reads a file of secret keys as age-keygen writes it.
    ///
    /// # Errors
    /// [`VaultError`]; a line is never repeated.
    pub fn read(path: &Path) -> Result<Identities, VaultError> {
        const WANTED: &str = "a file of age-keygen, with AGE-SECRET-KEY-… in a line (age --decrypt opens one with a passphrase)";
        let text = read(path, WANTED)?;
        let unfit = |found: String| VaultError::Unfit { path: path.to_owned(), found, wanted: WANTED };
        let mut keys = Vec::new();
        for (number, line) in lines(&text) {
            let identity = line.parse().map_err(|_| unfit(format!("no key in line {number}")))?;
            keys.push(Key::File(identity));
        }
        if keys.is_empty() { Err(unfit("no key".to_owned())) } else { Ok(Identities { keys }) }
    }

    /// The keys of vaults in a token of PKCS #11.
    ///
    /// # Errors
    /// [`VaultError`].
    #[cfg(feature = "hsm")]
    pub fn in_token(place: &TokenPlace) -> Result<Identities, VaultError> {
        Ok(Identities { keys: token::keys(place)?.into_iter().map(Key::Token).collect() })
    }

    /// Opens a share with the first key that fits, and says which; nothing if none does.
    pub(super) fn unseal(&self, sealed: &[u8]) -> Result<Option<OpenedShare>, &'static str> {
        for key in &self.keys {
            let decryptor = Decryptor::new(sealed).map_err(|_| "no encrypted file of age")?;
            let opened = decryptor.decrypt(std::iter::once(key.identity()));
            let mut reader = match opened {
                Ok(reader) => reader,
                Err(DecryptError::NoMatchingKeys) => continue,
                Err(DecryptError::Io(_)) => return Err("a point with which its token agrees on nothing"),
                Err(_) => return Err("a head that its key contradicts"),
            };
            let mut share = Zeroizing::new(Vec::with_capacity(sealed.len()));
            let limited = reader.by_ref().take(SHARE_BYTES_MAX);
            { limited }.read_to_end(&mut share).map_err(|_| "bytes that its key contradicts")?;
            return Ok(Some((share, key.public())));
        }
        Ok(None)
    }
}
