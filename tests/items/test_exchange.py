"""Items out and in: JSON loses nothing, Moodle XML nothing that it can hold, and each says what it could not."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from config.foundation.errors import UnusableInput
from itembank.domain.exchange import UnusableFile, write_json
from itembank.domain.formats import read_file
from itembank.domain.items import read_item
from itembank.domain.moodle import write_moodle
from itembank.models import Item, ItemVersion, KnowledgePoint
from tests.items import planted
from tests.items.cast import figure, fill_in, full_solution, single, worked_example

ALL = [worked_example(), single(figures=[figure()], stem="如图，每段占全长的（　　）"), fill_in(), full_solution()]


def items_of(*documents):
    return [read_item(document) for document in documents]


def test_json_gives_back_every_item_byte_for_byte():
    items = items_of(*ALL)
    written = write_json(items)
    assert written.losses == ()
    assert [one.sha256 for one in read_file(written.content.encode())] == [one.sha256 for one in items]


HELD = {
    "a choice": single(answer={"choices": ["B"]}, tags=["测验", "a<b & c"]),
    "a choice with a figure": single(
        answer={"choices": ["B"]}, figures=[figure()], stem="如图，$x<1$ 且 $y>2$ 的部分占（　　）"
    ),
    "several right": single(kind="multiple_choice", answer={"choices": ["A", "B", "D"]}),
    "a fill-in": fill_in(),
    "a full solution": {name: value for name, value in full_solution().items() if name != "answer"},
    "text with signs": fill_in(stem="若 $a<b$ & “c”，\n则 $x=$ ____ 。", explanation="$x>1$\n$y<2$"),
}


@pytest.mark.parametrize("name", HELD)
def test_moodle_gives_back_what_it_can_hold(name):
    (item,) = items_of(HELD[name])
    written = write_moodle([item])
    assert written.losses == ()
    (back,) = read_file(written.content.encode())
    assert back.document == item.document


def test_the_whole_sound_set_comes_back_from_moodle():
    documents = [each.document for each in planted.sound_items()]
    held = [one for one in items_of(*documents) if len(one.parts[0].values) < 2]
    written = write_moodle(held)
    assert written.losses == ()
    assert [one.sha256 for one in read_file(written.content.encode())] == [one.sha256 for one in held]
    assert len(held) > 50


LOST = [
    (worked_example(), "parts", True),
    (single(), "answer.values", False),
    (fill_in(declares={"functions": ["f"]}), "declares", False),
    (fill_in(solution="移项。"), "solution", False),
    (fill_in(answer={"values": [{"accepted": ["1.50"], "relation": "tolerance", "options": {"atol": "0.01"}}]}),
     "answer.values[0]", False),
]  # fmt: skip


@pytest.mark.parametrize(("document", "field", "whole"), LOST)
def test_moodle_says_what_it_could_not_hold(document, field, whole):
    written = write_moodle(items_of(document))
    assert [(loss.field, loss.whole) for loss in written.losses] == [(field, whole)]
    assert all(loss.zh != loss.en and document["item_id"] in loss.line() for loss in written.losses)


FOREIGN = """<?xml version="1.0"?><quiz>
<question type="category"><category><text>$course$/top</text></category></question>
<question type="multichoice"><name><text>Half</text></name>
<questiontext format="html"><text><![CDATA[<p>Half of <b>one</b> is<script>alert(1)</script></p>]]></text></questiontext>
<defaultgrade>1.0000000</defaultgrade><single>true</single>
<answer fraction="0" format="html"><text>$$2$$</text></answer>
<answer fraction="100" format="html"><text>\\(\\frac12\\)</text></answer></question></quiz>"""


def test_a_question_of_another_hand_is_read_and_its_markup_dropped():
    (item,) = read_file(FOREIGN.encode())
    assert (item.item_id, item.kind, str(item.points)) == ("moodle-1", "single_choice", "1")
    assert item.parts[0].stem == "Half of one is"
    assert [option.content for option in item.parts[0].options] == ["$2$", "$\\frac12$"]
    assert (item.parts[0].choices, item.knowledge_points) == (("B",), ("moodle",))


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><quiz><question type="essay"><name><text>&b;</text></name></question></quiz>'


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (BOMB.encode(), "unusable-xml"),
        (BOMB.encode("utf-16"), "not-json"),
        (b'<!DOCTYPE quiz SYSTEM "file:///etc/passwd"><quiz/>', "unusable-xml"),
        (b"<quiz>" + b"<a>" * 100 + b"</a>" * 100 + b"</quiz>", "unusable-xml"),
        (b"<quiz><question></quiz>", "unusable-xml"),
        (b"<html/>", "not-moodle"),
        (b"<quiz/>", "no-items"),
        (b'<quiz><question type="ddmarker"/></quiz>', "moodle-type"),
    ],
)
def test_hostile_or_foreign_files_are_refused(data, code):
    with pytest.raises(UnusableInput) as refused:
        read_file(data)
    assert refused.value.code == code or refused.value.code.startswith("json.")


def test_every_fault_of_every_item_is_named():
    with pytest.raises(UnusableFile) as refused:
        read_file(json.dumps([single(points="5"), fill_in(), {"item_id": "x"}]).encode())
    assert refused.value.lines[0].startswith("1 half:")
    assert any(line.startswith("3 x:") for line in refused.value.lines)


@pytest.mark.django_db
def test_the_commands_carry_a_bank_out_and_into_an_empty_one_and_twice_changes_nothing(tmp_path: Path):
    source, out, file = tmp_path / "in.json", StringIO(), tmp_path / "out.json"
    source.write_text(json.dumps(ALL), "utf-8")
    call_command("import_items", str(source), stdout=out)
    rows = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [(row["item_id"], row["version"], row["gates"]) for row in rows] == [
        (document["item_id"], 1, {"1": "PASSED", "2": "PASSED"}) for document in ALL
    ]
    call_command("export_items", str(file), "--format", "json")
    call_command("import_items", str(file), stdout=out)
    assert ItemVersion.objects.count() == Item.objects.count() == len(ALL)


@pytest.mark.django_db
def test_one_bad_item_stores_nothing(tmp_path: Path, capsys):
    source = tmp_path / "in.json"
    source.write_text(json.dumps([single(), single(points="5")]), "utf-8")
    with pytest.raises(SystemExit) as ended:
        call_command("import_items", str(source))
    assert ended.value.code == 2
    assert "2 half" in capsys.readouterr().err
    assert not Item.objects.exists()


@pytest.mark.django_db
def test_export_names_losses_on_standard_error(tmp_path: Path, capsys):
    source = tmp_path / "in.json"
    source.write_text(json.dumps(ALL), "utf-8")
    call_command("import_items", str(source), stdout=StringIO())
    call_command("export_items", str(tmp_path / "out.xml"), "--format", "moodle-xml", "--item", "quadratic-vertex-01")
    assert "quadratic-vertex-01 / parts" in capsys.readouterr().err


@pytest.mark.django_db
def test_the_shipped_tree_of_knowledge_points_is_imported(capsys):
    call_command("import_knowledge")
    assert KnowledgePoint.objects.count() == int(capsys.readouterr().out.split()[0])
