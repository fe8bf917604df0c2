"""Addresses of the reviews room."""

from django.urls import path

from portability.reviews import views, views_closed, views_comparison, views_entry, views_together, views_waivers

app_name = "reviews"
urlpatterns = [
    path("reviews/", views.reviews, name="reviews"),
    path("reviews/open/", views.open_review, name="open"),
    path("reviews/keys/", views.keys, name="keys"),
    path("reviews/comparison/", views_comparison.comparison, name="comparison"),
    path("reviews/questions/", views_entry.questions, name="questions"),
    path("reviews/questions/<int:note>/answer/", views_entry.answer_question, name="answer"),
    path("reviews/waivers/", views_waivers.waivers, name="waivers"),
    path("reviews/waivers/<int:waiver>/withdraw/", views_waivers.withdraw, name="withdraw"),
    path("reviews/waive/<int:workload>/<int:target>/<slug:mark>/", views_waivers.waive, name="waive"),
    path("reviews/entries/<int:pk>/decide/<slug:kind>/", views_entry.decide, name="decide"),
    path("reviews/entries/<int:pk>/defer/", views_entry.defer, name="defer"),
    path("reviews/entries/<int:pk>/assign/", views_entry.assign, name="assign"),
    path("reviews/entries/<int:pk>/note/", views_entry.note, name="note"),
    path("reviews/entries/<int:pk>/question/", views_entry.question, name="question"),
    path("reviews/<slug:quarter>/", views.review, name="review"),
    path("reviews/<slug:quarter>/undo/", views.undo, name="undo"),
    path("reviews/<slug:quarter>/together/", views_together.together, name="together"),
    path("reviews/<slug:quarter>/together/assign/", views_together.assign, name="assign_many"),
    path("reviews/<slug:quarter>/sign/", views_closed.sign, name="sign"),
    path("reviews/<slug:closed>/report/", views_closed.whole_report, name="report"),
    path("reviews/<slug:closed>/record.json", views_closed.record_file, name="record"),
    path("reviews/<slug:closed>/register.csv", views_closed.csv_file, name="csv"),
    path("reviews/<slug:closed>/addenda/", views_closed.addendum, name="addendum"),
]
