"""Addresses of the rehearsals room."""

from django.urls import path

from portability.rehearsals import views

app_name = "rehearsals"
urlpatterns = [
    path("workloads/<int:workload>/rehearsals/new/", views.new, name="new"),
    path("rehearsals/<int:pk>/", views.rehearsal, name="rehearsal"),
    path("rehearsals/<int:pk>/withdraw/", views.withdraw, name="withdraw"),
]
