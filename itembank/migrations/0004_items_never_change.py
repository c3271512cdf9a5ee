"""What an item said and what was decided about it is only added to; nobody reviews their own item; no release without its gates."""

from django.db import migrations

from config.foundation.append_only import append_only
from config.foundation.guards import guard

_OWN = (
    "NEW.gate = 5 AND EXISTS (SELECT 1 FROM itembank_itemversion mine JOIN itembank_itemversion v ON v.item_id = mine.item_id "
    "WHERE v.id = NEW.version_id AND mine.author_id = NEW.by_id)"
)
_UNPROVED = (
    "NOT EXISTS (SELECT 1 FROM itembank_gaterun r WHERE r.version_id = NEW.version_id AND r.gate = 5 AND r.passes) "
    "AND (SELECT COUNT(DISTINCT r.gate) FROM itembank_gaterun r "
    "WHERE r.version_id = NEW.version_id AND r.passes AND r.gate <> 5) < 4"
)


class Migration(migrations.Migration):
    dependencies = [("itembank", "0003_items")]
    operations = [
        append_only(
            "itembank_item",
            "itembank_itemversion",
            "itembank_versionpoint",
            "itembank_gaterun",
            "itembank_certificate",
        ),
        guard("itembank_gaterun", "item_reviewer_is_no_author", refused_if=_OWN, events=("INSERT",)),
        guard("itembank_certificate", "certificate_needs_its_gates", refused_if=_UNPROVED, events=("INSERT",)),
    ]
