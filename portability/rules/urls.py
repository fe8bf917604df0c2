"""Addresses of the rules room."""

from django.urls import path

from portability.rules import own_views, views

app_name = "rules"
urlpatterns = [
    path("rules/", views.rules, name="rules"),
    path("rules/rows/<slug:table>/", views.rows, name="rows"),
    path("rules/own/", own_views.rows, name="own_rows"),
    path("rules/own/new/", own_views.new, name="own_new"),
    path("rules/own/paste/", own_views.paste, name="own_paste"),
    path("rules/own/<int:pk>/", own_views.row, name="own_row"),
    path("rules/own/<int:pk>/edit/", own_views.edit, name="own_edit"),
    path("rules/own/<int:pk>/remove/", own_views.remove, name="own_remove"),
    path("rules/<slug:id>/", views.rule, name="rule"),
]
