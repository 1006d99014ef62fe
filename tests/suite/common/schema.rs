//! JSON Schema (draft 2020-12), as much of it as `schemas/` uses: a keyword or a pattern it does not know is an error.

use serde_json::Value;

/// Checks a value against a schema of `schemas/`.
///
/// # Panics
/// With the place of the first fault.
pub fn check_valid(schema: &str, value: &Value) {
    if let Err(fault) = validate(&read(schema), value, "$") {
        panic!("{schema}: {fault} in {value}");
    }
}

/// Whether a value keeps a schema of `schemas/`.
pub fn is_valid(schema: &str, value: &Value) -> bool {
    validate(&read(schema), value, "$").is_ok()
}

fn read(schema: &str) -> Value {
    let path = format!("{}/schemas/{schema}.schema.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn validate(schema: &Value, value: &Value, place: &str) -> Result<(), String> {
    let keywords = schema.as_object().expect("a schema is an object");
    for (keyword, wanted) in keywords {
        keep(keyword, wanted, schema, value, place)?;
    }
    Ok(())
}

/// One keyword. Most say something of one type only and nothing of the others.
fn keep(keyword: &str, wanted: &Value, schema: &Value, value: &Value, place: &str) -> Result<(), String> {
    let number = || wanted.as_f64().expect("a number");
    let is_kept = match keyword {
        "$schema" | "$id" | "title" | "description" => true,
        "$ref" => {
            let name = wanted.as_str().and_then(|name| name.strip_suffix(".schema.json"));
            return validate(&read(name.expect("a schema beside this one")), value, place);
        }
        "type" => match wanted {
            Value::Array(types) => types.iter().any(|one| is_of_type(one, value)),
            one => is_of_type(one, value),
        },
        "const" => wanted == value,
        "enum" => wanted.as_array().expect("a list").contains(value),
        "pattern" => value.as_str().is_none_or(|text| matches(wanted, text)),
        "minimum" => value.as_f64().is_none_or(|found| found >= number()),
        "maximum" => value.as_f64().is_none_or(|found| found <= number()),
        "minItems" => value.as_array().is_none_or(|found| found.len() as f64 >= number()),
        "maxItems" => value.as_array().is_none_or(|found| found.len() as f64 <= number()),
        "maxProperties" => value.as_object().is_none_or(|found| found.len() as f64 <= number()),
        "required" => value.as_object().is_none_or(|members| {
            let mut keys = wanted.as_array().expect("a list").iter();
            keys.all(|key| members.contains_key(key.as_str().expect("a key")))
        }),
        "propertyNames" => value.as_object().is_none_or(|members| {
            members.keys().all(|key| validate(wanted, &Value::String(key.clone()), place).is_ok())
        }),
        "oneOf" => {
            let schemas = wanted.as_array().expect("a list").iter();
            let faults: Vec<_> = schemas.map(|one| validate(one, value, place)).collect();
            if faults.iter().filter(|fault| fault.is_ok()).count() != 1 {
                return Err(format!("{place}: wanted exactly one of {faults:?}"));
            }
            true
        }
        "prefixItems" => {
            let schemas = wanted.as_array().expect("a list").iter().enumerate();
            for ((number, schema), item) in schemas.zip(value.as_array().into_iter().flatten()) {
                validate(schema, item, &format!("{place}[{number}]"))?;
            }
            true
        }
        "items" => {
            let before = schema.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
            for (number, item) in value.as_array().into_iter().flatten().enumerate().skip(before) {
                match wanted {
                    Value::Bool(false) => return Err(format!("{place}: more than {before} entries")),
                    wanted => validate(wanted, item, &format!("{place}[{number}]"))?,
                }
            }
            true
        }
        "properties" => {
            for (key, schema) in wanted.as_object().expect("an object") {
                if let Some(member) = value.get(key) {
                    validate(schema, member, &format!("{place}.{key}"))?;
                }
            }
            true
        }
        "additionalProperties" => return keep_additional(wanted, schema, value, place),
        other => panic!("{other} at {place}: a keyword this validator does not know"),
    };
    if is_kept { Ok(()) } else { Err(format!("{place}: found {value}, wanted {keyword} {wanted}")) }
}

fn keep_additional(wanted: &Value, schema: &Value, value: &Value, place: &str) -> Result<(), String> {
    for (key, member) in value.as_object().into_iter().flatten() {
        if schema["properties"].get(key).is_some() {
            continue;
        }
        match wanted {
            Value::Bool(true) => {}
            Value::Bool(false) => return Err(format!("{place}: unknown key {key}")),
            schema => validate(schema, member, &format!("{place}.{key}"))?,
        }
    }
    Ok(())
}

fn is_of_type(name: &Value, value: &Value) -> bool {
    match name.as_str().expect("a name") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other} is no type"),
    }
}

/// The few patterns in use, each told by hand: no regular expressions for five lines.
fn matches(pattern: &Value, text: &str) -> bool {
    let hex = |length: usize| {
        text.len() == length && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    match pattern.as_str().expect("a pattern") {
        "^[0-9a-f]{64}$" => hex(64),
        "^[2-9TJQKA][cdhs]$" => {
            (0..52).filter_map(deckproof::card::Card::from_index).any(|card| card.to_string() == text)
        }
        "^(0|[1-9]|[1-4][0-9]|5[01])$" => (0..52).any(|number| number.to_string() == text),
        "^E_[A-Z_]+$" => {
            let name = text.strip_prefix("E_").unwrap_or("");
            !name.is_empty() && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_uppercase())
        }
        "^[a-z0-9-]+$" => is_id(text),
        "^(deck|relative|inverse|relative-cards)\\.[a-z0-9-]+$" => {
            let views = ["deck", "relative", "inverse", "relative-cards"];
            text.split_once('.').is_some_and(|(view, id)| views.contains(&view) && is_id(id))
        }
        "^(deck|relative|inverse|relative-cards)\\.[a-z0-9-]+\\.[a-z0-9-]+$" => {
            let views = ["deck", "relative", "inverse", "relative-cards"];
            let parts: Vec<&str> = text.split('.').collect();
            parts.len() == 3 && views.contains(&parts[0]) && parts[1..].iter().all(|part| is_id(part))
        }
        "^[0-9]+:[0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]*$" => {
            let is_digit =
                |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&()*+;<=>?@^_`{|}~-".contains(&byte);
            text.split_once(':')
                .is_some_and(|(number, packed)| is_number(number) && packed.bytes().all(is_digit))
        }
        other => panic!("{other} is a pattern this validator does not know"),
    }
}

fn is_id(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !text.is_empty() && text.bytes().all(is_letter)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
