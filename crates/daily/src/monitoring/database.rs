//! The file of days: an SQLite database that any `sqlite3` reads, whose rows are added and never rewritten.
//!
//! A row is a number, a text and the text's SHA-256; the text names the hash of the row before it, so that the chain is
//! recomputed from the texts alone ([`Store`](crate::monitoring::store::Store)). The view `days` shows the texts as columns.
//! Writing is one transaction, synced (rollback journal, `synchronous = FULL`): a crash leaves the row or not.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OptionalExtension, TransactionBehavior};

use deckproof_files::file::own;

use deckproof_files::file::sha256;

/// The name of the file.
pub const DATABASE_FILE: &str = "daily.db";

/// Raised with every change of the tables.
const VERSION: i64 = 1;

/// Steps of SQLite's machine that one call takes at most. A row of a day takes some hundred, so that a century of days
/// stays far below; what somebody made to have no end is ended.
const STEPS_MAX: u64 = 1 << 28;

/// Steps between two looks at how many there were.
const STEPS: i32 = 1 << 16;

/// How long a job waits for another one that writes.
const BUSY: Duration = Duration::from_secs(60);

const SCHEMA: &str = "
CREATE TABLE day (id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, body TEXT NOT NULL);
CREATE TABLE drift (id INTEGER PRIMARY KEY CHECK (id = 1), state TEXT NOT NULL);
CREATE VIEW days AS SELECT id, json_extract(body, '$.day') AS day, json_extract(body, '$.overall') AS overall,
  json_extract(body, '$.verdict') AS verdict, json_extract(body, '$.decks') AS decks,
  json_extract(body, '$.family_p_value') AS family_p_value, json_extract(body, '$.drift.ln_evidence') AS ln_evidence,
  json_extract(body, '$.reason') AS reason, sha256 FROM day;
CREATE TRIGGER no_update BEFORE UPDATE ON day BEGIN SELECT RAISE(ABORT, 'rows are never rewritten'); END;
CREATE TRIGGER no_delete BEFORE DELETE ON day BEGIN SELECT RAISE(ABORT, 'rows are never rewritten'); END;
PRAGMA user_version = 1;";

/// Why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// What SQLite says.
    #[error("{0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A later program wrote it.
    #[error("found version {0}, wanted at most {VERSION}: a later deckproof wrote this file")]
    Version(i64),
    /// A page of it is not as it was written.
    #[error("the file is damaged ({0}); restore it from a backup of the last day")]
    Damaged(String),
    /// Somebody added a row meanwhile.
    #[error("another job added a row meanwhile")]
    Moved,
    /// Its tables, views and triggers are not those that this program makes.
    #[error("{0}; nothing was read from it or added to it")]
    Schema(String),
    /// SQLite reports that a row was added, and none was.
    #[error("a row was written and is not there; somebody changed the file")]
    NotAdded,
    /// Another kind of file has its name.
    #[error("{0}")]
    File(#[from] io::Error),
}

impl DatabaseError {
    /// Whether the file is not as it was written.
    pub fn is_damage(&self) -> bool {
        let codes = [ErrorCode::NotADatabase, ErrorCode::DatabaseCorrupt];
        match self {
            DatabaseError::Damaged(_) | DatabaseError::Schema(_) | DatabaseError::NotAdded => true,
            DatabaseError::Sqlite(error) => {
                error.sqlite_error_code().is_some_and(|code| codes.contains(&code))
            }
            _ => false,
        }
    }
}

/// The open file.
pub struct Database {
    connection: Connection,
    limit: Limit,
}

/// The steps that were taken since a call began.
struct Limit(Arc<AtomicU64>);

impl Limit {
    fn of(connection: &mut Connection) -> Result<Limit, DatabaseError> {
        let steps = Arc::new(AtomicU64::new(0));
        let own = Arc::clone(&steps);
        let is_over = move || own.fetch_add(STEPS as u64, Ordering::Relaxed) > STEPS_MAX;
        connection.progress_handler(STEPS, Some(is_over))?;
        Ok(Limit(steps))
    }

    fn begin(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

impl Database {
    /// Opens the file of a folder, and makes it where it is missing.
    ///
    /// # Errors
    /// [`DatabaseError`], also for a damaged page anywhere in the file.
    pub fn open(folder: &Path) -> Result<Database, DatabaseError> {
        let path = folder.join(DATABASE_FILE);
        own::length(&path)?;
        let mut connection = Connection::open(path)?;
        let limit = Limit::of(&mut connection)?;
        connection.busy_timeout(BUSY)?;
        // What is in the file is somebody's: no function of it may do more than compute, and no table of the system be written.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        match transaction.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0))? {
            0 => transaction.execute_batch(SCHEMA)?,
            VERSION => {}
            found => return Err(DatabaseError::Version(found)),
        }
        transaction.commit()?;
        let database = Database { connection, limit };
        // Rows are read from the tables that this program made, and from nothing that was put in their place.
        if let Some(changed) = change(&tables(made()?), &tables(schema(&database.connection)?)) {
            return Err(DatabaseError::Schema(changed));
        }
        match database.integrity()?.as_str() {
            "ok" => Ok(database),
            damaged => Err(DatabaseError::Damaged(damaged.to_owned())),
        }
    }

    fn integrity(&self) -> Result<String, DatabaseError> {
        self.limit.begin();
        Ok(self.connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?)
    }

    /// What of tables, views and triggers is not as this program made it: a replaced view shows other days than those that are.
    ///
    /// # Errors
    /// [`DatabaseError`].
    pub fn changed_schema(&self) -> Result<Option<String>, DatabaseError> {
        Ok(change(&made()?, &schema(&self.connection)?))
    }

    /// The texts of all rows in order, each as it hashes; a row whose hash or number is another one comes back as what is wrong.
    ///
    /// # Errors
    /// [`DatabaseError`].
    pub fn bodies(&self) -> Result<Result<Vec<String>, String>, DatabaseError> {
        self.limit.begin();
        let mut statement = self.connection.prepare("SELECT id, sha256, body FROM day ORDER BY id")?;
        let rows = statement.query_map([], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?))
        })?;
        let mut bodies = Vec::new();
        for row in rows {
            let (id, hash, body) = row?;
            let wanted = bodies.len() as i64 + 1;
            if id != wanted {
                return Ok(Err(format!("row {wanted} was taken out: row {id} is in its place")));
            }
            if sha256(&body) != hash {
                return Ok(Err(format!("row {id} was edited: its text does not have its hash")));
            }
            bodies.push(body);
        }
        Ok(Ok(bodies))
    }

    /// The counts and bets after the last day that has some.
    ///
    /// # Errors
    /// [`DatabaseError`].
    pub fn drift(&self) -> Result<Option<String>, DatabaseError> {
        self.limit.begin();
        Ok(self
            .connection
            .query_row("SELECT state FROM drift WHERE id = 1", [], |row| row.get(0))
            .optional()?)
    }

    /// Adds rows after so many, and with them the bets from which the next day goes on: all or none.
    ///
    /// # Errors
    /// [`DatabaseError`]; nothing was added then.
    pub fn append(
        &mut self,
        after: usize,
        bodies: &[String],
        drift: Option<&str>,
    ) -> Result<(), DatabaseError> {
        let wanted = made()?;
        self.limit.begin();
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Under the lock, for somebody may have changed it since it was opened.
        if let Some(changed) = change(&wanted, &schema(&transaction)?) {
            return Err(DatabaseError::Schema(changed));
        }
        let rows: i64 = transaction.query_row("SELECT count(*) FROM day", [], |row| row.get(0))?;
        if rows != after as i64 {
            return Err(DatabaseError::Moved);
        }
        for (place, body) in bodies.iter().enumerate() {
            let id = rows + 1 + place as i64;
            let row = (id, sha256(body), body);
            added(transaction.execute("INSERT INTO day (id, sha256, body) VALUES (?1, ?2, ?3)", row)?)?;
        }
        if let Some(state) = drift {
            added(transaction.execute("INSERT OR REPLACE INTO drift (id, state) VALUES (1, ?1)", [state])?)?;
        }
        Ok(transaction.commit()?)
    }
}

/// One row was added, says SQLite: a trigger can have let it fall.
fn added(rows: usize) -> Result<(), DatabaseError> {
    if rows == 1 { Ok(()) } else { Err(DatabaseError::NotAdded) }
}

/// What of the wanted is not found, and what changes what is written. Somebody's own view or index does not.
fn change(wanted: &[Item], found: &[Item]) -> Option<String> {
    if let Some((kind, name, _)) = wanted.iter().find(|item| !found.contains(item)) {
        return Some(format!("the {kind} {name} was changed or taken out"));
    }
    let is_strange = |item: &&Item| item.0 == "trigger" && !wanted.contains(item);
    found.iter().find(is_strange).map(|(_, name, _)| format!("the trigger {name} was added"))
}

/// Kind, name and text of a table, view or trigger.
type Item = (String, String, String);

fn tables(schema: Vec<Item>) -> Vec<Item> {
    schema.into_iter().filter(|(kind, ..)| kind == "table").collect()
}

/// The schema as this program makes it.
fn made() -> Result<Vec<Item>, DatabaseError> {
    let made = Connection::open_in_memory()?;
    made.execute_batch(SCHEMA)?;
    schema(&made)
}

fn schema(of: &Connection) -> Result<Vec<Item>, DatabaseError> {
    let mut statement =
        of.prepare("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name")?;
    let items = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(items.collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{File, OpenOptions};
    use std::io::{Seek, SeekFrom, Write};

    fn rows(database: &Database) -> Vec<String> {
        database.bodies().expect("readable").expect("sound")
    }

    #[test]
    fn rows_and_bets_are_added_together_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut database = Database::open(folder.path()).expect("it is made");
        database.append(0, &["a".to_owned(), "b".to_owned()], Some("one")).expect("added");
        assert!(matches!(database.append(0, &["c".to_owned()], Some("two")), Err(DatabaseError::Moved)));
        // A second row of one text breaks in the middle of the transaction.
        assert!(database.append(2, &["c".to_owned(), "a".to_owned()], Some("two")).is_err());
        let mut again = Database::open(folder.path()).expect("it is there");
        assert_eq!(
            (rows(&again), again.drift().expect("readable").as_deref()),
            (vec!["a".to_owned(), "b".to_owned()], Some("one"))
        );
        again.append(2, &["c".to_owned()], None).expect("added");
        assert_eq!(rows(&database).len(), 3);
        assert!(again.connection.execute("DELETE FROM day WHERE id = 1", []).is_err());
        assert!(again.connection.execute("UPDATE day SET body = 'x' WHERE id = 1", []).is_err());
    }

    #[test]
    fn edited_and_missing_rows_are_named_although_the_triggers_were_dropped() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut database = Database::open(folder.path()).expect("it is made");
        database.append(0, &["a".to_owned(), "b".to_owned(), "c".to_owned()], None).expect("added");
        database
            .connection
            .execute_batch("DROP TRIGGER no_update; DROP TRIGGER no_delete")
            .expect("an insider can");
        database.connection.execute("UPDATE day SET body = 'x' WHERE id = 2", []).expect("an insider can");
        assert_eq!(
            database.bodies().expect("readable").expect_err("edited"),
            "row 2 was edited: its text does not have its hash"
        );
        database.connection.execute("DELETE FROM day WHERE id = 2", []).expect("an insider can");
        assert_eq!(
            database.bodies().expect("readable").expect_err("gone"),
            "row 2 was taken out: row 3 is in its place"
        );
    }

    /// Each of these made a day that passed and left no row, or a job that never ended.
    #[test]
    fn a_file_that_would_swallow_rows_or_never_end_is_refused_before_it_is_read() {
        let refused = |change: &str| {
            let folder = tempfile::tempdir().expect("a folder");
            let mut database = Database::open(folder.path()).expect("it is made");
            database.append(0, &["a".to_owned()], None).expect("added");
            database.connection.execute_batch(change).expect("an insider can");
            let added = database.append(1, &["b".to_owned()], None).expect_err("under the lock").to_string();
            (added, Database::open(folder.path()).err().map(|error| error.to_string()))
        };
        let (added, opened) =
            refused("CREATE TRIGGER more BEFORE INSERT ON day BEGIN SELECT RAISE(IGNORE); END");
        assert!(added.starts_with("the trigger more was added"), "{added}");
        assert_eq!(opened, None, "its rows are read, and Store::read refuses it");
        let endless = "DROP TABLE day; CREATE VIEW day AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL \
            SELECT id + 1 FROM n) SELECT id, '' AS sha256, '' AS body FROM n";
        let (added, opened) = refused(endless);
        assert!(added.starts_with("the table day was changed or taken out"), "{added}");
        assert!(opened.is_some_and(|opened| opened.starts_with("the table day was changed")));
    }

    #[test]
    fn a_call_without_end_is_ended_and_a_row_that_fell_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = Database::open(folder.path()).expect("it is made");
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";
        database.limit.begin();
        let ended = database.connection.query_row(endless, [], |row| row.get::<_, i64>(0));
        let code = ended.expect_err("it has no end").sqlite_error_code();
        assert_eq!(code, Some(ErrorCode::OperationInterrupted));
        assert!(matches!(added(0), Err(DatabaseError::NotAdded)));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_the_place_of_the_file_is_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let other = folder.path().join("other");
        std::fs::write(&other, "").expect("writable");
        std::os::unix::fs::symlink(&other, folder.path().join(DATABASE_FILE)).expect("a link");
        assert!(matches!(Database::open(folder.path()), Err(DatabaseError::File(_))));
        assert_eq!(std::fs::read(&other).expect("readable"), b"");
    }

    #[test]
    fn a_replaced_view_a_missing_trigger_and_a_new_one_are_named_and_a_view_of_somebody_is_not() {
        for (change, notice) in [
            ("CREATE VIEW mine AS SELECT day FROM days", None),
            ("DROP VIEW days", Some("the view days was changed or taken out")),
            (
                "DROP VIEW days; CREATE VIEW days AS SELECT 'pass' AS verdict",
                Some("the view days was changed or taken out"),
            ),
            ("DROP TRIGGER no_delete", Some("the trigger no_delete was changed or taken out")),
            (
                "CREATE TRIGGER more AFTER INSERT ON day BEGIN DELETE FROM drift; END",
                Some("the trigger more was added"),
            ),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            let database = Database::open(folder.path()).expect("it is made");
            database.connection.execute_batch(change).expect("an insider can");
            assert_eq!(database.changed_schema().expect("readable").as_deref(), notice, "{change}");
        }
    }

    #[test]
    fn damage_another_version_and_another_file_are_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(DATABASE_FILE);
        let mut database = Database::open(folder.path()).expect("it is made");
        let long: Vec<String> = (0..40).map(|n| format!("{n} ").repeat(800)).collect();
        database.append(0, &long, None).expect("added");
        drop(database);
        let mut file = OpenOptions::new().write(true).open(&path).expect("it is there");
        file.seek(SeekFrom::Start(3 * 4096)).expect("so long");
        file.write_all(&[0xff; 4096]).expect("a page is lost");
        drop(file);
        assert!(Database::open(folder.path()).is_err());
        File::create(&path)
            .and_then(|mut file| file.write_all(b"no database at all, but long enough to be read"))
            .expect("written");
        assert!(Database::open(folder.path()).is_err());
        std::fs::remove_file(&path).expect("it is there");
        let database = Database::open(folder.path()).expect("it is made");
        database.connection.pragma_update(None, "user_version", 7).expect("settable");
        assert!(matches!(Database::open(folder.path()), Err(DatabaseError::Version(7))));
    }
}
