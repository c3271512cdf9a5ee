from django.db import migrations

from config.foundation.guards import guard


class Migration(migrations.Migration):
    """Only a touch made for an audit lets a person's audit of that answer in."""

    dependencies = [("review", "0001_initial"), ("grading", "0003_marking_schemes")]
    operations = [
        guard(
            "review_audititem",
            "audit_needs_fresh_eyes",
            refused_if="""NEW.auditor_id IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM grading_touch t JOIN grading_case c ON c.response_id = t.response_id
                JOIN grading_mark m ON m.case_id = c.id
                WHERE m.id = NEW.mark_id AND t.person_id = NEW.auditor_id AND t.role = 'auditor')""",
        )
    ]
