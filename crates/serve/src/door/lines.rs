//! JSON lines: one call a line, one answer a line. Answers of different tables may overtake each other; each says which
//! call it answers.

use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex};

use crate::calls::fields::CALL_BYTES_MAX;
use crate::calls::read;
use crate::service::{CallAnswer, Service, locked};

/// Answers calls until the input ends.
///
/// # Errors
/// Those of reading; an output that is gone ends the service quietly, for what was carried out is durable.
pub fn serve(
    service: &Service,
    mut input: impl BufRead,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let output = Arc::new(Mutex::new(output));
    loop {
        let mut line = Vec::new();
        let found = input.by_ref().take(CALL_BYTES_MAX as u64 + 1).read_until(b'\n', &mut line)?;
        if found == 0 {
            return Ok(());
        }
        if line.last() != Some(&b'\n') && found > CALL_BYTES_MAX {
            skip_line(&mut input)?;
        }
        let output = Arc::clone(&output);
        match read::line(line.trim_ascii_end()) {
            Ok(call) => {
                let place = call.place_json();
                let answer = move |answer: CallAnswer| match answer {
                    Ok(text) => write(&output, &text),
                    Err(fault) => write(&output, &fault.json_at(place)),
                };
                service.call(call, Box::new(answer));
            }
            Err(fault) => {
                service.meters().count("line", Some(fault.kind));
                write(&output, &fault.json());
            }
        }
    }
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let available = input.fill_buf()?;
        let (end, used) = match available.iter().position(|byte| *byte == b'\n') {
            Some(place) => (true, place + 1),
            None => (available.is_empty(), available.len()),
        };
        input.consume(used);
        if end {
            return Ok(());
        }
    }
}

fn write(output: &Mutex<impl Write>, text: &str) {
    let mut output = locked(output);
    // Whoever is gone asks again when he is back.
    let _ = writeln!(output, "{text}").and_then(|()| output.flush());
}
