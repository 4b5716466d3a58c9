"""A site of one file: settings, URLs, views and Django's own sitemap."""
import sys

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps.views import sitemap
from django.core.management import execute_from_command_line
from django.http import Http404, HttpResponse
from django.urls import path, re_path
from django.views.generic import RedirectView

settings.configure(
    DEBUG=True,
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    SECRET_KEY="for this site only",
    INSTALLED_APPS=["django.contrib.sitemaps"],
    MIDDLEWARE=["django.middleware.common.CommonMiddleware"],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
)

PAGES = {
    "": ("Harbour", 'Boats leave the harbour every hour. <a href="/guide">Guide</a> '
         '<a href="/timetable/">The old timetable</a> <a href="/thanks/">Thanks</a> <a href="/blog/">Blog</a>'),
    "guide/": ("Guide", '<a href="/guide/setup/">Before you travel</a> <a href="/guide/überfahrt/">The crossing</a>'),
    "guide/setup/": ("Before you travel", "Bring a ticket and warm clothes."),
    "guide/überfahrt/": ("Die Überfahrt", "The crossing takes two hours."),
    "thanks/": ("Thanks", "Thank you for your order."),
    "blog/": ("Blog", '<a href="/blog/first-boat/">The first boat</a>'),
    "blog/first-boat/": ("The first boat", "The first boat leaves at six."),
    "blog/not-finished/": ("Not finished", "A draft."),
}


def page(request, name):
    if name not in PAGES or name.endswith("not-finished/"):
        raise Http404
    title, text = PAGES[name]
    robots = '<meta name="robots" content="noindex">' if name == "thanks/" else ""
    return HttpResponse(f"<!doctype html><html lang=en><title>{title}</title>{robots}<main><h1>{title}</h1><p>{text}</p></main>")


class Pages(Sitemap):
    def items(self):
        return ["", "guide/", "guide/setup/", "guide/überfahrt/", "thanks/", "timetable/"]

    def location(self, name):
        return "/" + name


urlpatterns = [
    path("sitemap.xml", sitemap, {"sitemaps": {"pages": Pages}}),
    path("timetable/", RedirectView.as_view(url="/guide/setup/")),
    re_path(r"^((?:.+/)?)$", page),
]

if __name__ == "__main__":
    execute_from_command_line(sys.argv)
