"""Addresses of the school staff's pages."""

from django.urls import path

from .views import assessments, classes, gate, people, questions, results, uploads

app_name = "grading"
urlpatterns = [
    path("", assessments.listing, name="assessments"),
    path("new/", assessments.create, name="create"),
    path("rules-example.json", questions.example, name="rules-example"),
    path("uploads/<slug:public_id>/", uploads.delivery, name="delivery"),
    path("questions/<slug:public_id>/", questions.rules, name="rules"),
    path("<slug:public_id>/", assessments.show, name="assessment"),
    path("<slug:public_id>/progress/", assessments.progress, name="progress"),
    path("<slug:public_id>/judge/", assessments.judge, name="judge"),
    path("<slug:public_id>/questions/", questions.listing, name="questions"),
    path("<slug:public_id>/classes/", classes.listing, name="classes"),
    path("<slug:public_id>/people/", people.listing, name="people"),
    path("<slug:public_id>/people/withdraw/", people.withdraw, name="withdraw"),
    path("<slug:public_id>/uploads/", uploads.listing, name="uploads"),
    path("<slug:public_id>/gate/", gate.show, name="gate"),
    path("<slug:public_id>/results/", results.show, name="results"),
    path("<slug:public_id>/results/<slug:kind>/", results.download, name="export"),
]
