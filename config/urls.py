"""Addresses of all apps."""

from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import LoginView, LogoutView
from django.urls import URLPattern, URLResolver, include, path
from django.views.i18n import set_language

from config import health
from grading.views.images import page_image
from review.views.home import home

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home, name="home"),
    path("healthz/live", health.live, name="health-live"),
    path("healthz/ready", health.ready, name="health-ready"),
    path("healthz/deep", health.deep, name="health-deep"),
    path("accounts/login/", LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("accounts/logout/", LogoutView.as_view(), name="logout"),
    path("language/", login_not_required(set_language), name="set_language"),
    path("pages/<slug:public_id>/<slug:size>/", page_image, name="page-image"),
    path("assessments/", include("grading.urls")),
    path("review/", include("review.urls")),
]
