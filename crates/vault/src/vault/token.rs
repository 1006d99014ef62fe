//! A key that lives in a token of PKCS #11, an HSM: X25519, made there, and it never leaves. To the service it is a public key of
//! age as any other; the opener of a share gives the token the point of each file, and gets back what only that file opens by.
//! The only module that names cryptoki.

use std::fmt;
use std::path::{Path, PathBuf};

use age::DecryptError;
use age_core::format::{FILE_KEY_BYTES, FileKey, Stanza};
use age_core::primitives::{aead_decrypt, hkdf};
use base64ct::{Base64Unpadded, Encoding};
use bech32::{Bech32, Hrp};
use cryptoki::context::{CInitializeArgs, CInitializeFlags, Pkcs11};
use cryptoki::error::{Error, RvError};
use cryptoki::mechanism::elliptic_curve::{EcKdf, Ecdh1DeriveParams};
use cryptoki::mechanism::{Mechanism, MechanismType};
use cryptoki::object::{Attribute, AttributeType, KeyType, ObjectClass, ObjectHandle};
use cryptoki::session::{Session, UserType};
use cryptoki::slot::Slot;
use cryptoki::types::AuthPin;
use zeroize::Zeroizing;

use crate::vault::VaultError;
use deckproof_files::file::{TEXT_BYTES_MAX, read_limited};

/// What the keys of vaults are called in a token.
const LABEL: &[u8] = b"deckproof vault";

/// Keys of that name in one token.
const KEYS_MAX: usize = 16;

/// `id-X25519`, RFC 8410, as a DER object identifier: the parameters of the curve.
const X25519: [u8; 5] = [0x06, 0x03, 0x2b, 0x65, 0x6e];

/// The curve by its name, a DER printable string, as PKCS #11 3.0 spells it and SoftHSM takes it for a key of agreement.
const CURVE25519: [u8; 12] = *b"\x13\x0acurve25519";

/// A DER octet string of 32 bytes.
const OCTETS: [u8; 2] = [0x04, 32];

/// `X25519` in a file of age, and the label of its key derivation (age-encryption.org/v1).
const STANZA: &str = "X25519";
const STANZA_LABEL: &[u8] = b"age-encryption.org/v1/X25519";

/// Which token, and who may use it.
pub struct TokenPlace {
    /// The library of the maker, a PKCS #11 module: it is loaded into this process.
    pub module: PathBuf,
    /// The label of the token.
    pub label: String,
    /// A file whose first line is the PIN of its user.
    pub pin: PathBuf,
}

/// A token whose user is logged in.
struct Token {
    session: Session,
    slot: Slot,
    module: Pkcs11,
    path: PathBuf,
}

/// A key in a token, as age asks for it.
pub(super) struct TokenKey {
    token: std::rc::Rc<Token>,
    private: ObjectHandle,
    public: [u8; 32],
}

fn failed(module: &Path, what: &str) -> impl Fn(Error) -> VaultError {
    let (module, what) = (module.to_owned(), what.to_owned());
    move |error| VaultError::Token { module: module.clone(), problem: format!("{what}: {error}") }
}

/// The first line of the file of a PIN.
fn read_pin(path: &Path) -> Result<AuthPin, VaultError> {
    let bytes = Zeroizing::new(read_limited(path, TEXT_BYTES_MAX).map_err(VaultError::file(path))?);
    let line = std::str::from_utf8(&bytes).ok().and_then(|text| text.lines().next()).unwrap_or("").trim();
    if line.is_empty() {
        let found = "no text in its first line".to_owned();
        Err(VaultError::Unfit { path: path.to_owned(), found, wanted: "the PIN of the token" })
    } else {
        Ok(AuthPin::from(line.to_owned()))
    }
}

impl Token {
    fn open(place: &TokenPlace) -> Result<Token, VaultError> {
        let path = &place.module;
        let module = Pkcs11::new(path).map_err(failed(path, "it cannot be loaded as a PKCS #11 module"))?;
        match module.initialize(CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK)) {
            Ok(()) => {}
            Err(Error::Pkcs11(RvError::CryptokiAlreadyInitialized, _)) => {}
            Err(error) => return Err(failed(path, "it does not start")(error)),
        }
        let slots = module.get_slots_with_token().map_err(failed(path, "it has no list of tokens"))?;
        let label = |slot: &Slot| module.get_token_info(*slot).map(|info| info.label().trim_end().to_owned());
        let mut named = slots.into_iter().filter(|slot| label(slot).is_ok_and(|label| label == place.label));
        let (slot, other) = (named.next(), named.next());
        let problem = |problem: String| VaultError::Token { module: path.clone(), problem };
        let slot = slot.filter(|_| other.is_none()).ok_or_else(|| {
            let found = if other.is_some() { "several tokens" } else { "no token" };
            problem(format!("found {found} with the label {:?}, wanted one", place.label))
        })?;
        let session = module.open_rw_session(slot).map_err(failed(path, "no session"))?;
        match session.login(UserType::User, Some(&read_pin(&place.pin)?)) {
            Ok(()) | Err(Error::Pkcs11(RvError::UserAlreadyLoggedIn, _)) => {}
            Err(error) => return Err(failed(path, &format!("token {:?}, its PIN", place.label))(error)),
        }
        Ok(Token { session, slot, module, path: path.clone() })
    }

    fn public_of(&self, object: ObjectHandle) -> Option<[u8; 32]> {
        let found = self.session.get_attributes(object, &[AttributeType::EcPoint]).ok()?;
        let point = found.into_iter().find_map(|attribute| match attribute {
            Attribute::EcPoint(point) => Some(point),
            _ => None,
        })?;
        point.strip_prefix(&OCTETS).unwrap_or(&point).try_into().ok()
    }

    fn id_of(&self, object: ObjectHandle) -> Option<Vec<u8>> {
        let found = self.session.get_attributes(object, &[AttributeType::Id]).ok()?;
        found.into_iter().find_map(|attribute| match attribute {
            Attribute::Id(id) => Some(id),
            _ => None,
        })
    }
}

/// Makes a key in a token, and returns its public key, for a file of holders.
///
/// # Errors
/// [`VaultError`].
pub fn make_key(place: &TokenPlace) -> Result<String, VaultError> {
    let token = Token::open(place)?;
    let mut id = vec![0; 16];
    getrandom::fill(&mut id).map_err(|error| VaultError::Random(error.to_string()))?;
    let common = |class| {
        vec![
            Attribute::Class(class),
            Attribute::Token(true),
            Attribute::Label(LABEL.to_vec()),
            Attribute::Id(id.clone()),
            Attribute::Derive(true),
        ]
    };
    let secret = [Attribute::Private(true), Attribute::Sensitive(true), Attribute::Extractable(false)];
    let private = [common(ObjectClass::PRIVATE_KEY), secret.to_vec()].concat();
    // PKCS #11 3.0 has a mechanism for keys of agreement; SoftHSM 2.6 makes them by the one for signatures.
    let known = token.module.get_mechanism_list(token.slot).unwrap_or_default();
    let mechanism = if known.contains(&MechanismType::ECC_MONTGOMERY_KEY_PAIR_GEN) {
        Mechanism::EccMontgomeryKeyPairGen
    } else {
        Mechanism::EccEdwardsKeyPairGen
    };
    let make = |parameters: &[u8]| {
        let public =
            [common(ObjectClass::PUBLIC_KEY), vec![Attribute::EcParams(parameters.to_vec())]].concat();
        token.session.generate_key_pair(&mechanism, &public, &private)
    };
    let made = make(&X25519).or_else(|_| make(&CURVE25519));
    let (public, _) = made.map_err(failed(&token.path, "it makes no key of X25519"))?;
    let public = token.public_of(public).ok_or_else(|| VaultError::Token {
        module: token.path.clone(),
        problem: "found a public key of another form, wanted 32 bytes".to_owned(),
    })?;
    Ok(name(&public))
}

/// The keys of vaults in a token.
pub(super) fn keys(place: &TokenPlace) -> Result<Vec<TokenKey>, VaultError> {
    let token = std::rc::Rc::new(Token::open(place)?);
    let find = |class| {
        let wanted = [Attribute::Class(class), Attribute::Label(LABEL.to_vec())];
        token.session.find_objects(&wanted).map_err(failed(&token.path, "its keys cannot be listed"))
    };
    let publics = find(ObjectClass::PUBLIC_KEY)?;
    let mut keys = Vec::new();
    for private in find(ObjectClass::PRIVATE_KEY)?.into_iter().take(KEYS_MAX) {
        let id = token.id_of(private);
        let public = publics.iter().find(|public| id.is_some() && token.id_of(**public) == id);
        let public = public.and_then(|public| token.public_of(*public));
        keys.extend(public.map(|public| TokenKey { token: std::rc::Rc::clone(&token), private, public }));
    }
    if keys.is_empty() {
        Err(VaultError::Token {
            module: place.module.clone(),
            problem: format!(
                "found no key of a vault in the token {:?}, wanted one that deckproof vault key --hsm made",
                place.label
            ),
        })
    } else {
        Ok(keys)
    }
}

/// A public key as age writes it.
fn name(public: &[u8; 32]) -> String {
    let prefix = Hrp::parse("age").expect("age is a prefix of Bech32");
    bech32::encode::<Bech32>(prefix, public).expect("32 bytes are not too long")
}

impl fmt::Display for TokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&name(&self.public))
    }
}

impl TokenKey {
    /// `X25519(private, point)`, computed in the token; 32 bytes that open one file.
    fn agree(&self, point: &[u8; 32]) -> Result<Zeroizing<Vec<u8>>, Error> {
        let session = &self.token.session;
        let wanted = [
            Attribute::Class(ObjectClass::SECRET_KEY),
            Attribute::KeyType(KeyType::GENERIC_SECRET),
            Attribute::Token(false),
            Attribute::Sensitive(false),
            Attribute::Extractable(true),
            Attribute::ValueLen(32.into()),
        ];
        let derive = |point: &[u8]| {
            let mechanism = Mechanism::Ecdh1Derive(Ecdh1DeriveParams::new(EcKdf::null(), point));
            session.derive_key(&mechanism, self.private, &wanted)
        };
        // The bare point, or as some tokens want it, in DER.
        let made = derive(point).or_else(|_| derive(&[&OCTETS[..], point].concat()))?;
        let found = session.get_attributes(made, &[AttributeType::Value]);
        session.destroy_object(made)?;
        let value = found?.into_iter().find_map(|attribute| match attribute {
            Attribute::Value(value) => Some(Zeroizing::new(value)),
            _ => None,
        });
        value.ok_or(Error::NotSupported)
    }

    fn unwrap(&self, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
        let [point] = &stanza.args[..] else { return Some(Err(DecryptError::InvalidHeader)) };
        let point: Option<[u8; 32]> = Base64Unpadded::decode_vec(point).ok()?.try_into().ok();
        let Some(point) = point else { return Some(Err(DecryptError::InvalidHeader)) };
        let shared = match self.agree(&point) {
            Ok(shared) => shared,
            Err(error) => return Some(Err(DecryptError::Io(std::io::Error::other(error)))),
        };
        // RFC 7748, section 6.1: a point of small order gives zeros.
        if shared.len() != 32 || shared.iter().all(|byte| *byte == 0) {
            return Some(Err(DecryptError::InvalidHeader));
        }
        let key = Zeroizing::new(hkdf(&[point, self.public].concat(), STANZA_LABEL, &shared));
        let opened = Zeroizing::new(aead_decrypt(&key, FILE_KEY_BYTES, &stanza.body).ok()?);
        Some(Ok(FileKey::init_with_mut(|key| key.copy_from_slice(&opened))))
    }
}

impl age::Identity for TokenKey {
    fn unwrap_stanza(&self, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
        (stanza.tag == STANZA).then(|| self.unwrap(stanza)).flatten()
    }
}

#[cfg(test)]
mod tests;
