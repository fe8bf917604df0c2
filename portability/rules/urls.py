"""Addresses of the rules room."""

from django.urls import path

from portability.rules import views

app_name = "rules"
urlpatterns = [
    path("rules/", views.rules, name="rules"),
    path("rules/rows/<slug:table>/", views.rows, name="rows"),
    path("rules/<slug:id>/", views.rule, name="rule"),
]
