"""Addresses of the accounts room."""

from django.urls import path

from portability.accounts import administration, views

app_name = "accounts"
urlpatterns = [
    path("login/", views.login, name="login"),
    path("logout/", views.logout, name="logout"),
    path("password/", views.password, name="password"),
    path("people/", administration.people, name="people"),
    path("people/new/", administration.new_person, name="new-person"),
    path("people/<int:pk>/", administration.person, name="person"),
    path("people/<int:pk>/password/", administration.reset_password, name="reset-password"),
    path("people/<int:pk>/deactivate/", administration.deactivate, name="deactivate"),
    path("people/<int:pk>/reactivate/", administration.reactivate, name="reactivate"),
    path("teams/", administration.teams, name="teams"),
    path("teams/<int:pk>/", administration.team, name="team"),
    path("teams/<int:pk>/deactivate/", administration.team_state, {"active": False}, name="deactivate-team"),
    path("teams/<int:pk>/reactivate/", administration.team_state, {"active": True}, name="reactivate-team"),
    path("teams/<int:pk>/delete/", administration.delete_team, name="delete-team"),
]
