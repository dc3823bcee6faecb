//! Compares what a daemon said with what a transcript has; protocol/transcripts/README.md says what counts as the same.

use std::collections::BTreeMap;

use serde_json::{json, Map, Value};

pub type Expect = BTreeMap<String, String>;

/// Members that differ from run to run, and need only be of the same type.
const VOLATILE: [&str; 11] = [
    "pid",
    "version",
    "time",
    "added",
    "log_id",
    "uptime_s",
    "idle_s",
    "memory_bytes",
    "threads",
    "unread_bytes",
    "dropped",
];

/// Texts for people; a program goes by code and reason.
const TEXTS: [&str; 3] = ["error.message", "error.data.advice", "error.data.phase"];

/// Returns a sentence for each place where `given` is not what is wanted.
pub fn differences(wanted: &Value, given: &Value, expect: &Expect, path: &str) -> Vec<String> {
    let rule = rule_for(path, expect);
    if rule == "any" {
        return Vec::new();
    }
    let is_volatile = VOLATILE.contains(&path.rsplit('.').next().unwrap_or_default())
        || TEXTS.iter().any(|text| path.ends_with(text));
    match (wanted, given) {
        _ if kind(wanted) != kind(given) => vec![format!("{path} is {given}, not {wanted}")],
        _ if rule == "type" || is_volatile => Vec::new(),
        (Value::Object(wanted), Value::Object(given)) => in_objects(wanted, given, expect, path, rule),
        (Value::Array(wanted), Value::Array(given)) => in_lists(wanted, given, expect, path, rule),
        _ if same(wanted, given, rule) => Vec::new(),
        _ => vec![format!("{path} is {given}, not {wanted}")],
    }
}

fn in_objects(
    wanted: &Map<String, Value>,
    given: &Map<String, Value>,
    expect: &Expect,
    path: &str,
    rule: &str,
) -> Vec<String> {
    let mut found = Vec::new();
    for (name, value) in wanted {
        let place = format!("{path}.{name}").trim_start_matches('.').to_owned();
        match given.get(name) {
            Some(other) => found.extend(differences(value, other, &inherited(expect, &place, rule), &place)),
            None if rule_for(&place, expect) == "any" => {}
            None => found.push(format!("{place} is missing; it was {value}")),
        }
    }
    if rule != "contains" {
        let new = given.iter().filter(|(name, _)| !wanted.contains_key(*name));
        found.extend(new.map(|(name, value)| format!("{path}.{name} is new: {value}")));
    }
    found
}

fn in_lists(wanted: &[Value], given: &[Value], expect: &Expect, path: &str, rule: &str) -> Vec<String> {
    if rule == "contains" {
        let inside = Expect::from([(String::new(), rule.to_owned())]);
        let holds = |item: &Value| given.iter().any(|other| differences(item, other, &inside, "").is_empty());
        let missing = wanted.iter().filter(|item| !holds(item));
        return missing.map(|item| format!("{path} does not hold {item}")).collect();
    }
    if wanted.len() != given.len() {
        return vec![format!("{path} has {} items, not {}", given.len(), wanted.len())];
    }
    let pairs = wanted.iter().zip(given).enumerate();
    pairs.flat_map(|(i, (item, other))| differences(item, other, expect, &format!("{path}.{i}"))).collect()
}

/// Lets `contains` hold for what is inside too, where nothing else is said.
fn inherited(expect: &Expect, place: &str, rule: &str) -> Expect {
    let mut wider = expect.clone();
    if rule == "contains" {
        wider.entry(place.to_owned()).or_insert_with(|| rule.to_owned());
    }
    wider
}

fn rule_for<'a>(path: &str, expect: &'a Expect) -> &'a str {
    let wild = || expect.iter().find(|(place, _)| place.contains('*') && covers(place, path)).map(|(_, rule)| rule);
    expect.get(path).or_else(wild).map_or("", String::as_str)
}

fn covers(place: &str, path: &str) -> bool {
    let (parts, names): (Vec<_>, Vec<_>) = (place.split('.').collect(), path.split('.').collect());
    parts.len() == names.len() && parts.iter().zip(names).all(|(part, name)| *part == "*" || *part == name)
}

fn same(wanted: &Value, given: &Value, rule: &str) -> bool {
    match (wanted, given) {
        (Value::String(wanted), Value::String(given)) => {
            let (wanted, given) = (steady(wanted), steady(given));
            wanted == given || (rule == "contains" && given.contains(&wanted))
        }
        (Value::Number(wanted), Value::Number(given)) => wanted.as_f64() == given.as_f64(),
        _ => wanted == given,
    }
}

fn kind(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) => 3,
        Value::Array(_) => 4,
        Value::Object(_) => 5,
    }
}

/// Returns a text without its times and random tokens: words of 32 hexadecimal digits, and of RFC 3339.
fn steady(text: &str) -> String {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "-:.".contains(letter);
    let mut steady = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_part) {
        let length = rest[start..].find(|letter| !is_part(letter)).unwrap_or(rest.len() - start);
        let (word, after) = rest[start..].split_at(length);
        steady.push_str(&rest[..start]);
        steady.push_str(if is_token(word) || is_time(word) { "(volatile)" } else { word });
        rest = after;
    }
    steady + rest
}

fn is_token(word: &str) -> bool {
    word.len() == 32 && word.bytes().all(|letter| letter.is_ascii_digit() || (b'a'..=b'f').contains(&letter))
}

fn is_time(word: &str) -> bool {
    let shape: String = word.chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect();
    shape.starts_with("0000-00-00T00:00:00") && shape.ends_with('Z')
}

#[test]
fn the_comparison_sees_what_is_different() {
    let none = Expect::new();
    let rule = |place: &str, rule: &str| Expect::from([(place.to_owned(), rule.to_owned())]);
    let rows = [
        (json!({"a": 1}), json!({"a": 1.0}), none.clone(), 0),
        (json!({"a": 1}), json!({"a": "1"}), none.clone(), 1),
        (json!({"a": 1}), json!({"a": 1, "b": 2}), none.clone(), 1),
        (json!({"a": 1}), json!({}), none.clone(), 1),
        (json!({"a": 1}), json!({}), rule("a", "any"), 0),
        (json!({"pid": 1}), json!({"pid": 2}), none.clone(), 0),
        (json!({"pid": 1}), json!({"pid": "2"}), none.clone(), 1),
        (json!({"error": {"message": "a"}}), json!({"error": {"message": "b"}}), none.clone(), 0),
        (json!({"a": {"b": [1]}}), json!({"a": {"b": [2, 1], "c": 3}}), rule("a", "contains"), 0),
        (json!({"a": {"b": [4]}}), json!({"a": {"b": [2, 1], "c": 3}}), rule("a", "contains"), 1),
        (json!({"a": [{"b": 1}]}), json!({"a": [{"b": 2}]}), rule("a.*.b", "type"), 0),
        (json!({"a": "at 2026-01-02T03:04:05Z"}), json!({"a": "at 2027-01-02T03:04:05.5Z"}), none.clone(), 0),
        (json!(["0123456789abcdef0123456789abcdef!"]), json!(["f".repeat(32) + "!"]), none.clone(), 0),
        (json!([1, 2]), json!([1]), none, 1),
    ];
    for (wanted, given, expect, count) in rows {
        let found = differences(&wanted, &given, &expect, "");
        assert_eq!(found.len(), count, "{wanted} and {given}: {found:?}");
    }
}
