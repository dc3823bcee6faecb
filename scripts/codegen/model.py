"""What protocol/schema.json says, as records, fields and enums to write any language from (WIRE-41, WIRE-42).

The schema is flat, so a few kinds of types are enough. Values of mixed types, and objects with free names, stay JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Schema = dict[str, Any]


@dataclass(frozen=True)
class Type:
    """One type: string, integer, number, boolean, any, object (free), list, map, record, or enum."""

    kind: str
    name: str = ""  # of a record or an enum
    item: Type | None = None  # of a list or a map
    union: tuple[str, ...] = ()  # the JSON types of an `any` that is not quite any


@dataclass(frozen=True)
class Field:
    """One member of a record; `default` is what an absent one stands for, `None` where that is nothing at all."""

    name: str
    type: Type
    about: str
    required: bool
    default: Any
    zero_is_legal: bool  # whether 0, "" or false may be sent

    @property
    def zero_by_default(self) -> bool:
        """Tell whether an absent member is the same as the type's own zero value."""
        return not self.required and self.default is not None and not self.default


@dataclass(frozen=True)
class Record:
    """An object with fixed names; a closed one is what the host or a model sends."""

    name: str
    about: str
    fields: tuple[Field, ...]
    closed: bool


@dataclass(frozen=True)
class Enum:
    """A closed list of texts; what the daemon sends may hold newer ones."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Method:
    """One method; no params where it takes none."""

    name: str
    sender: str
    params: Type | None
    result: Type | None
    notification: bool


@dataclass
class Model:
    """Everything there is to write."""

    version: int
    records: list[Record] = field(default_factory=list)
    enums: list[Enum] = field(default_factory=list)
    methods: list[Method] = field(default_factory=list)
    tools: dict[str, tuple[str, str]] = field(default_factory=dict)  # name → records of arguments and output


def read_model(document: Schema) -> Model:
    """Return the model of a schema document."""
    return _Reader(document).model


def words(name: str) -> list[str]:
    """Split any name of the protocol: `session-rule`, `mime_type`, `tools/call`, `$/cancelRequest`."""
    return [part.lower() for part in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", name)]


class _Reader:
    def __init__(self, document: Schema) -> None:
        self.model = Model(document["version"])
        for name, schema in document["$defs"].items():
            if schema["properties"]:
                self._record(name, schema)
        self.model.methods = [self._method(name, schema) for name, schema in document["methods"].items()]
        self.model.tools = {
            name: (_referred(ends["arguments"]), _referred(ends["output"])) for name, ends in document["tools"].items()
        }

    def _record(self, name: str, schema: Schema) -> None:
        required = schema.get("required", ())
        fields = tuple(
            self._field(name, member, part, required=member in required)
            for member, part in schema["properties"].items()
        )
        closed = schema.get("additionalProperties") is False
        self.model.records.append(Record(name, schema.get("description", ""), fields, closed))

    def _field(self, owner: str, name: str, schema: Schema, *, required: bool) -> Field:
        zero_is_legal = schema.get("minimum", 0) <= 0 and not schema.get("minLength") and "enum" not in schema
        about, default = schema.get("description", ""), schema.get("default")
        return Field(name, self._type(owner, name, schema), about, required, default, zero_is_legal)

    def _type(self, owner: str, name: str, schema: Schema) -> Type:
        kind = schema.get("type")
        if "$ref" in schema:
            return Type("record", _referred(schema))
        if "properties" in schema:
            record = owner + name.title()
            self._record(record, {"description": f"The {name} of {owner}."} | schema)
            return Type("record", record)
        if kind == "string" and "enum" in schema:
            return Type("enum", self._enum(owner, name, tuple(schema["enum"])))
        if kind == "array":
            return Type("list", item=self._type(owner, name, schema["items"]))
        if kind == "object" and "additionalProperties" in schema:
            return Type("map", item=self._type(owner, name, schema["additionalProperties"]))
        return Type(kind) if isinstance(kind, str) else Type("any", union=tuple(kind or ()))

    def _enum(self, owner: str, name: str, values: tuple[str, ...]) -> str:
        """Return the enum of these values: the same values are the same enum, wherever they stand."""
        for enum in self.model.enums:
            if enum.values == values:
                return enum.name
        stem = re.sub("(Params|Arguments|Result|Output|Data)$", "", owner)
        enum = Enum(stem + camel(name.removesuffix("s") if name != "status" else name), values)
        self.model.enums.append(enum)
        return enum.name

    def _method(self, name: str, schema: Schema) -> Method:
        params, result = _referred(schema["params"]), schema.get("result")
        answer = Type("record", _referred(result)) if result and "$ref" in result else None
        if result == {"type": "object"}:
            answer = Type("object")
        given = None if params == "Nothing" else Type("record", params)
        return Method(name, schema["sender"], given, answer, notification=result is None)


def camel(name: str) -> str:
    """Return a name in CamelCase."""
    return "".join(word.title() for word in words(name))


def _referred(schema: Schema) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


def records_first(model: Model) -> Iterator[tuple[Record, list[Enum]]]:
    """Yield each record with the enums that are met in it for the first time, by the order of records."""
    left = {enum.name: enum for enum in model.enums}
    for record in sorted(model.records, key=lambda record: record.name):
        met = [left.pop(name) for name in _enums_of(record) if name in left]
        yield record, met


def _enums_of(record: Record) -> Iterator[str]:
    seen = set()
    for part in record.fields:
        kind = part.type
        while kind.item is not None:
            kind = kind.item
        if kind.kind == "enum" and kind.name not in seen:
            seen.add(kind.name)
            yield kind.name
