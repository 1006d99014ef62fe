//! The keys of the two people: files of age, or in place of one of them a key that lives in a token of PKCS #11.

use std::path::PathBuf;

use clap::Args;

use crate::cli::{CliError, failed};
use deckproof_deck::text::decimal::counted;
use deckproof_vault::vault::holders::Identities;

#[derive(Args)]
pub(in crate::cli) struct TokenArguments {
    /// The key of one person is in a token (HSM) of PKCS #11: the module of its maker, a library such as /usr/lib/softhsm/libsofthsm2.so.
    #[arg(long, value_name = "MODULE", requires_all = ["hsm_token", "hsm_pin"])]
    hsm: Option<PathBuf>,
    /// The label of the token.
    #[arg(long, value_name = "LABEL", requires = "hsm")]
    hsm_token: Option<String>,
    /// A file whose first line is the PIN of the user of the token.
    #[arg(long, value_name = "FILE", requires = "hsm")]
    hsm_pin: Option<PathBuf>,
}

#[cfg(feature = "hsm")]
impl TokenArguments {
    fn place(&self) -> Option<deckproof_vault::vault::token::TokenPlace> {
        let (module, label, pin) = (self.hsm.clone()?, self.hsm_token.clone()?, self.hsm_pin.clone()?);
        Some(deckproof_vault::vault::token::TokenPlace { module, label, pin })
    }

    /// Makes a key in the token, if one is named, and returns its public key.
    pub fn make_key(&self) -> Result<Option<String>, CliError> {
        let made = self.place().map(|place| deckproof_vault::vault::token::make_key(&place));
        made.transpose().map_err(failed)
    }

    fn keys(&self) -> Result<Option<Identities>, CliError> {
        self.place().map(|place| Identities::in_token(&place)).transpose().map_err(failed)
    }
}

#[cfg(not(feature = "hsm"))]
impl TokenArguments {
    /// Makes a key in the token, if one is named, and returns its public key.
    pub fn make_key(&self) -> Result<Option<String>, CliError> {
        match self.keys()? {
            None => Ok(None),
            Some(_) => unreachable!("this build has no keys of tokens"),
        }
    }

    fn keys(&self) -> Result<Option<Identities>, CliError> {
        match (&self.hsm, &self.hsm_token, &self.hsm_pin) {
            (None, None, None) => Ok(None),
            _ => Err(CliError::Problem("--hsm: this build was made without the feature hsm".to_owned())),
        }
    }
}

/// The keys of two people.
pub(in crate::cli) fn two_people(
    identities: &[PathBuf],
    token: &TokenArguments,
) -> Result<[Identities; 2], CliError> {
    let mut people: Vec<Identities> = token.keys()?.into_iter().collect();
    for path in identities {
        people.push(Identities::read(path).map_err(failed)?);
    }
    people.try_into().map_err(|people: Vec<Identities>| {
        CliError::Problem(format!(
            "found {} (--identity, --hsm), wanted two: a hand is opened by two people together, and the share of one alone opens nothing",
            counted(people.len() as u64, "key", "keys")
        ))
    })
}
