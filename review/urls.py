"""Addresses of the people's side."""

from django.urls import path

from .views import anchoring, appeals, arbitration, audit, blind, case, keys, problems, queue, schemes

app_name = "review"
urlpatterns = [
    path("keys/", keys.keys, name="keys"),
    path("case/<slug:public_id>/", case.show, name="case"),
    path("case/<slug:public_id>/claim/", case.claim, name="claim"),
    path("case/<slug:public_id>/release/", case.release, name="release"),
    path("case/<slug:public_id>/skip/", case.skip, name="skip"),
    path("case/<slug:public_id>/problem/", problems.report, name="report-problem"),
    path("problem/<slug:public_id>/", problems.settle, name="settle-problem"),
    path("<slug:public_id>/problems/", problems.show, name="problems"),
    path("case/<slug:public_id>/upcoming/", case.upcoming, name="upcoming"),
    path("case/<slug:public_id>/hold/", case.hold, name="hold"),
    path("case/<slug:public_id>/draft/", case.draft, name="draft"),
    path("case/<slug:public_id>/draft/discard/", case.discard, name="discard"),
    path("case/<slug:public_id>/total/", case.recalculate, name="recalculate"),
    path("case/<slug:public_id>/decide/", case.decide, name="decide"),
    path("case/<slug:public_id>/judge-again/", case.judge_again, name="judge-again"),
    path("case/<slug:public_id>/trail/", case.trail, name="trail"),
    path("audit/<slug:public_id>/", audit.sample, name="sample"),
    path("audit/<slug:public_id>/next/", audit.take_next, name="next-item"),
    path("audit/item/<slug:public_id>/", audit.item, name="audit-item"),
    path("audit/item/<slug:public_id>/total/", audit.recalculate, name="audit-recalculate"),
    path("blind/<slug:public_id>/", blind.blind, name="blind"),
    path("blind/<slug:public_id>/claim/", blind.claim, name="blind-claim"),
    path("blind/<slug:public_id>/total/", blind.recalculate, name="blind-total"),
    path("blind/<slug:public_id>/reveal/", blind.reveal, name="reveal"),
    path("arbitration/<slug:public_id>/", arbitration.arbitrate, name="arbitrate"),
    path("arbitration/<slug:public_id>/take/", arbitration.take, name="take-arbitration"),
    path("arbitration/<slug:public_id>/total/", arbitration.recalculate, name="arbitration-total"),
    path("appeal/<slug:public_id>/", appeals.appeal, name="appeal"),
    path("appeal/<slug:public_id>/take/", appeals.take, name="take-appeal"),
    path("appeal/<slug:public_id>/total/", appeals.recalculate, name="appeal-total"),
    path("scheme/<slug:public_id>/", schemes.question, name="scheme"),
    path("<slug:public_id>/", queue.show, name="queue"),
    path("<slug:public_id>/next/", queue.take_next, name="next"),
    path("<slug:public_id>/audit/", audit.samples, name="audits"),
    path("<slug:public_id>/arbitration/", arbitration.waiting, name="arbitrations"),
    path("<slug:public_id>/appeals/", appeals.listing, name="appeals"),
    path("<slug:public_id>/appeals/new/", appeals.file, name="file-appeal"),
    path("<slug:public_id>/schemes/", schemes.overview, name="schemes"),
    path("<slug:public_id>/anchoring/", anchoring.report, name="anchoring"),
]
