# Made by `npm run clients` from /openapi.json. Do not edit.
from __future__ import annotations

import datetime
import urllib.parse
from typing import Any, Dict, Iterator, List, Literal, Mapping, Optional, Sequence, TypedDict, Union


class _ListMetaAlways(TypedDict):
    total: int
    limit: int
    offset: int
    hasMore: bool


class ListMeta(_ListMetaAlways, total=False):
    facets: Facets
    interpretation: Interpretation


InterpretationPartsItem = TypedDict("InterpretationPartsItem", {
    "kind": "Literal[\"time\", \"price\", \"category\", \"neighborhood\", \"venue\", \"street\", \"type\", \"word\", \"typo\", \"ignored\"]",
    "text": "str",
    "from": "int",
    "to": "int",
    "means": "str",
    "parameters": "Optional[Dict[str, str]]",
    "without": "str",
    "overriddenBy": "Optional[str]",
})


class InterpretationRelaxationsItem(TypedDict):
    without: str
    ask: str
    total: int


class Interpretation(TypedDict):
    parts: List[InterpretationPartsItem]
    complete: int
    relaxations: List[InterpretationRelaxationsItem]


class FacetsCategoryItem(TypedDict):
    value: str
    count: int


class FacetsNeighborhoodItem(TypedDict):
    value: str
    count: int


class FacetsFreeItem(TypedDict):
    value: str
    count: int


class FacetsDayItem(TypedDict):
    value: str
    count: int


class Facets(TypedDict, total=False):
    category: List[FacetsCategoryItem]
    neighborhood: List[FacetsNeighborhoodItem]
    free: List[FacetsFreeItem]
    day: List[FacetsDayItem]


class EventVenue(TypedDict):
    id: str
    name: str
    slug: str
    neighborhood: Optional[str]
    latitude: float
    longitude: float


class Event(TypedDict):
    id: str
    title: str
    slug: str
    category: Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"]
    startDatetime: str
    endDatetime: Optional[str]
    description: Optional[str]
    imageUrl: Optional[str]
    isFree: bool
    priceMin: Optional[float]
    priceMax: Optional[float]
    discoveryScore: int
    venue: EventVenue
    url: str


class EventDetailVenue(TypedDict):
    id: str
    name: str
    slug: str
    neighborhood: Optional[str]
    latitude: float
    longitude: float
    address: Optional[str]
    capacityTier: Optional[Literal["intimate", "small", "medium", "large"]]


class EventDetail(TypedDict):
    id: str
    title: str
    slug: str
    category: Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"]
    startDatetime: str
    endDatetime: Optional[str]
    description: Optional[str]
    imageUrl: Optional[str]
    isFree: bool
    priceMin: Optional[float]
    priceMax: Optional[float]
    discoveryScore: int
    venue: EventDetailVenue
    url: str
    performers: List[str]
    tags: List[str]
    sources: List[str]


class EventCompact(TypedDict):
    id: str
    title: str
    category: Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"]
    startDatetime: str
    isFree: bool
    discoveryScore: int


class ShapedEventScoreSignalsItem(TypedDict):
    signal: str
    value: float
    weight: float
    points: float
    sentence: str


class ShapedEventScoreTrendSignalsItem(TypedDict):
    signal: str
    value: float
    weight: float
    points: float
    sentence: str


class ShapedEventScore(TypedDict):
    discoveryScore: int
    trendScore: float
    signals: List[ShapedEventScoreSignalsItem]
    trendSignals: List[ShapedEventScoreTrendSignalsItem]


class ShapedEventOrganizer(TypedDict):
    name: str
    url: Optional[str]


class ShapedEventVenue(TypedDict):
    id: str
    name: str
    slug: str
    neighborhood: Optional[str]
    latitude: float
    longitude: float


class _ShapedEventAlways(TypedDict):
    id: str


class ShapedEvent(_ShapedEventAlways, total=False):
    status: Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out"]
    timezone: str
    currency: str
    sources: List[str]
    tags: List[str]
    performers: List[str]
    score: ShapedEventScore
    updatedAt: str
    locationPrecision: Literal["exact", "approximate", "area"]
    startPrecision: Literal["time", "date", "all_day"]
    organizer: Optional[ShapedEventOrganizer]
    title: str
    slug: str
    category: Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"]
    startDatetime: str
    endDatetime: Optional[str]
    description: Optional[str]
    imageUrl: Optional[str]
    isFree: bool
    priceMin: Optional[float]
    priceMax: Optional[float]
    discoveryScore: int
    venue: ShapedEventVenue
    url: str


class ShapedEventDetailScoreSignalsItem(TypedDict):
    signal: str
    value: float
    weight: float
    points: float
    sentence: str


class ShapedEventDetailScoreTrendSignalsItem(TypedDict):
    signal: str
    value: float
    weight: float
    points: float
    sentence: str


class ShapedEventDetailScore(TypedDict):
    discoveryScore: int
    trendScore: float
    signals: List[ShapedEventDetailScoreSignalsItem]
    trendSignals: List[ShapedEventDetailScoreTrendSignalsItem]


class ShapedEventDetailOrganizer(TypedDict):
    name: str
    url: Optional[str]


class ShapedEventDetailVenue(TypedDict):
    id: str
    name: str
    slug: str
    neighborhood: Optional[str]
    latitude: float
    longitude: float
    address: Optional[str]
    capacityTier: Optional[Literal["intimate", "small", "medium", "large"]]


class _ShapedEventDetailAlways(TypedDict):
    id: str


class ShapedEventDetail(_ShapedEventDetailAlways, total=False):
    status: Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out"]
    timezone: str
    currency: str
    sources: List[str]
    tags: List[str]
    performers: List[str]
    score: ShapedEventDetailScore
    updatedAt: str
    locationPrecision: Literal["exact", "approximate", "area"]
    startPrecision: Literal["time", "date", "all_day"]
    organizer: Optional[ShapedEventDetailOrganizer]
    title: str
    slug: str
    category: Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"]
    startDatetime: str
    endDatetime: Optional[str]
    description: Optional[str]
    imageUrl: Optional[str]
    isFree: bool
    priceMin: Optional[float]
    priceMax: Optional[float]
    discoveryScore: int
    venue: ShapedEventDetailVenue
    url: str


class ShapedEventCompactScoreSignalsItem(TypedDict):
    signal: str
    value: float
    weight: float
    points: float
    sentence: str


class ShapedEventCompactScoreTrendSignalsItem(TypedDict):
    signal: str
    value: float
    weight: float
    points: float
    sentence: str


class ShapedEventCompactScore(TypedDict):
    discoveryScore: int
    trendScore: float
    signals: List[ShapedEventCompactScoreSignalsItem]
    trendSignals: List[ShapedEventCompactScoreTrendSignalsItem]


class ShapedEventCompactOrganizer(TypedDict):
    name: str
    url: Optional[str]


class _ShapedEventCompactAlways(TypedDict):
    id: str


class ShapedEventCompact(_ShapedEventCompactAlways, total=False):
    status: Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out"]
    timezone: str
    currency: str
    sources: List[str]
    tags: List[str]
    performers: List[str]
    score: ShapedEventCompactScore
    updatedAt: str
    locationPrecision: Literal["exact", "approximate", "area"]
    startPrecision: Literal["time", "date", "all_day"]
    organizer: Optional[ShapedEventCompactOrganizer]
    title: str
    category: Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"]
    startDatetime: str
    isFree: bool
    discoveryScore: int


class _VenueAlways(TypedDict):
    id: str
    name: str
    slug: str
    type: Literal["bar", "restaurant", "arena", "park", "theater", "gallery", "club", "stadium", "brewery", "museum"]
    neighborhood: Optional[str]
    address: Optional[str]
    latitude: float
    longitude: float
    capacityTier: Optional[Literal["intimate", "small", "medium", "large"]]
    isVerified: bool
    upcomingEventCount: int
    url: str


class Venue(_VenueAlways, total=False):
    locationPrecision: Literal["exact", "approximate", "area"]


class VenueDetailMetadataOpeningHoursWeeklyItem(TypedDict):
    days: List[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]]
    opens: str
    closes: str


VenueDetailMetadataOpeningHoursExceptionsItem = TypedDict("VenueDetailMetadataOpeningHoursExceptionsItem", {
    "from": "str",
    "to": "str",
    "closed": "bool",
    "opens": "Optional[str]",
    "closes": "Optional[str]",
    "reason": "Optional[str]",
})


class VenueDetailMetadataOpeningHours(TypedDict):
    timezone: str
    weekly: List[VenueDetailMetadataOpeningHoursWeeklyItem]
    exceptions: List[VenueDetailMetadataOpeningHoursExceptionsItem]


class VenueDetailMetadata(TypedDict):
    website: Optional[str]
    parking: Optional[str]
    transitNearby: List[str]
    openingHours: Optional[VenueDetailMetadataOpeningHours]


class _VenueDetailAlways(TypedDict):
    id: str
    name: str
    slug: str
    type: Literal["bar", "restaurant", "arena", "park", "theater", "gallery", "club", "stadium", "brewery", "museum"]
    neighborhood: Optional[str]
    address: Optional[str]
    latitude: float
    longitude: float
    capacityTier: Optional[Literal["intimate", "small", "medium", "large"]]
    isVerified: bool
    upcomingEventCount: int
    url: str
    metadata: VenueDetailMetadata


class VenueDetail(_VenueDetailAlways, total=False):
    locationPrecision: Literal["exact", "approximate", "area"]


class Neighborhood(TypedDict):
    slug: str
    name: str
    description: Optional[str]
    latitude: float
    longitude: float
    eventCount: int
    venueCount: int
    topCategories: List[Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"]]


class TrendingEventVenue(TypedDict):
    name: str
    slug: str


class TrendingEvent(TypedDict):
    id: str
    title: str
    category: Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"]
    startDatetime: str
    discoveryScore: int
    trendScore: float
    venue: TrendingEventVenue


class TrendingVenue(TypedDict):
    id: str
    name: str
    slug: str
    type: Literal["bar", "restaurant", "arena", "park", "theater", "gallery", "club", "stadium", "brewery", "museum"]
    neighborhood: Optional[str]
    upcomingEventCount: int
    trendScore: float


class EventList(TypedDict):
    data: List[Event]
    meta: ListMeta


class ShapedEventList(TypedDict):
    data: List[ShapedEvent]
    meta: ListMeta


class CompactEventList(TypedDict):
    data: List[EventCompact]
    meta: ListMeta


class ShapedCompactEventList(TypedDict):
    data: List[ShapedEventCompact]
    meta: ListMeta


class SingleEvent(TypedDict):
    data: EventDetail


class ShapedSingleEvent(TypedDict):
    data: ShapedEventDetail


class VenueList(TypedDict):
    data: List[Venue]
    meta: ListMeta


class SingleVenue(TypedDict):
    data: VenueDetail


class NeighborhoodListMeta(TypedDict):
    total: int


class NeighborhoodList(TypedDict):
    data: List[Neighborhood]
    meta: NeighborhoodListMeta


class TrendingData(TypedDict):
    events: List[TrendingEvent]
    venues: List[TrendingVenue]


class _TrendingMetaAlways(TypedDict):
    generatedAt: str
    window: str


class TrendingMeta(_TrendingMetaAlways, total=False):
    reason: Optional[Literal["no_events", "no_signals"]]


class Trending(TypedDict):
    data: TrendingData
    meta: TrendingMeta


class SuggestionListDataItem(TypedDict):
    type: Literal["event", "venue", "neighborhood", "performer"]
    text: str
    id: Optional[str]
    slug: Optional[str]
    context: Optional[str]


class SuggestionListMeta(TypedDict):
    total: int


class SuggestionList(TypedDict):
    data: List[SuggestionListDataItem]
    meta: SuggestionListMeta


class UsageDataDay(TypedDict):
    limit: int
    used: int
    remaining: int
    resetsAt: str


class UsageDataMinute(TypedDict):
    limit: int
    used: int
    remaining: int


class UsageDataDaysItem(TypedDict):
    date: str
    requests: int


class UsageData(TypedDict):
    tier: Literal["starter", "growth", "enterprise"]
    day: UsageDataDay
    minute: UsageDataMinute
    days: List[UsageDataDaysItem]


class Usage(TypedDict):
    data: UsageData


class _ChangeListDataItemAlways(TypedDict):
    sequence: int
    at: str
    kind: Literal["created", "updated", "cancelled", "rescheduled", "merged", "removed", "scored"]
    entity: Literal["event", "venue", "neighborhood"]
    id: str
    fields: List[str]
    previous: Dict[str, Any]
    record: Optional[Union[EventDetail, VenueDetail, Neighborhood]]


class ChangeListDataItem(_ChangeListDataItemAlways, total=False):
    mergedInto: str
    reason: Literal["filter"]


class ChangeListMeta(TypedDict):
    next: str
    hasMore: bool
    head: int
    epoch: str


class ChangeList(TypedDict):
    data: List[ChangeListDataItem]
    meta: ChangeListMeta


class ChecksumsData(TypedDict):
    entity: Literal["event", "venue"]
    sequence: int
    records: int
    ranges: List[str]


class Checksums(TypedDict):
    data: ChecksumsData


class _RealtimePageItemsItemAlways(TypedDict):
    state: Literal["updated", "deleted"]
    kind: Literal["Event", "Venue"]
    id: str
    modified: int


class RealtimePageItemsItem(_RealtimePageItemsItemAlways, total=False):
    data: Union[EventDetail, VenueDetail]


class RealtimePage(TypedDict):
    items: List[RealtimePageItemsItem]
    next: str
    license: str


class Feed(TypedDict):
    id: str
    name: str
    query: str
    eventsUrl: str
    createdAt: str
    updatedAt: str


class FeedListMeta(TypedDict):
    total: int


class FeedList(TypedDict):
    data: List[Feed]
    meta: FeedListMeta


class SingleFeed(TypedDict):
    data: Feed


class Export(TypedDict):
    id: str
    state: Literal["queued", "running", "ready", "failed", "cancelled", "expired"]
    feedId: Optional[str]
    format: Literal["ndjson", "csv", "geojson", "parquet"]
    columns: Optional[List[Literal["id", "title", "category", "startDatetime", "isFree", "discoveryScore", "slug", "endDatetime", "description", "imageUrl", "priceMin", "priceMax", "url", "venue", "performers", "tags", "sources", "status", "startPrecision", "updatedAt", "organizer"]]]
    repeat: Literal["once", "hourly", "daily"]
    isFull: Optional[bool]
    rows: Optional[int]
    bytes: Optional[int]
    queuedAt: str
    startedAt: Optional[str]
    finishedAt: Optional[str]
    expiresAt: Optional[str]
    error: Optional[str]
    waitingFor: Optional[Literal["storage"]]
    retryAt: Optional[str]
    manifestUrl: Optional[str]


class ExportList(TypedDict):
    data: List[Export]
    meta: ListMeta


class ExportWithFilesManifestCityCenter(TypedDict):
    latitude: float
    longitude: float


class ExportWithFilesManifestCity(TypedDict):
    slug: str
    name: str
    timezone: str
    currency: str
    locale: str
    center: ExportWithFilesManifestCityCenter


class ExportWithFilesManifestFilesItem(TypedDict):
    name: str
    bytes: int
    sha256: str
    rows: int
    url: str


class ExportWithFilesManifestPrevious(TypedDict):
    id: str
    epoch: str
    sequence: int


class ExportWithFilesManifestSignature(TypedDict):
    algorithm: Literal["ed25519"]
    keyId: str
    value: str


class _ExportWithFilesManifestAlways(TypedDict):
    epoch: str
    sequence: int
    generatedAt: str
    query: Optional[str]
    format: Literal["ndjson", "csv", "geojson", "parquet"]
    columns: Optional[List[Literal["id", "title", "category", "startDatetime", "isFree", "discoveryScore", "slug", "endDatetime", "description", "imageUrl", "priceMin", "priceMax", "url", "venue", "performers", "tags", "sources", "status", "startPrecision", "updatedAt", "organizer"]]]
    city: Optional[ExportWithFilesManifestCity]
    rows: int
    files: List[ExportWithFilesManifestFilesItem]
    deleted: List[str]
    previous: Optional[ExportWithFilesManifestPrevious]
    signature: ExportWithFilesManifestSignature


class ExportWithFilesManifest(_ExportWithFilesManifestAlways, total=False):
    credits: List[str]


class ExportWithFiles(TypedDict):
    id: str
    state: Literal["queued", "running", "ready", "failed", "cancelled", "expired"]
    feedId: Optional[str]
    format: Literal["ndjson", "csv", "geojson", "parquet"]
    columns: Optional[List[Literal["id", "title", "category", "startDatetime", "isFree", "discoveryScore", "slug", "endDatetime", "description", "imageUrl", "priceMin", "priceMax", "url", "venue", "performers", "tags", "sources", "status", "startPrecision", "updatedAt", "organizer"]]]
    repeat: Literal["once", "hourly", "daily"]
    isFull: Optional[bool]
    rows: Optional[int]
    bytes: Optional[int]
    queuedAt: str
    startedAt: Optional[str]
    finishedAt: Optional[str]
    expiresAt: Optional[str]
    error: Optional[str]
    waitingFor: Optional[Literal["storage"]]
    retryAt: Optional[str]
    manifestUrl: Optional[str]
    manifest: Optional[ExportWithFilesManifest]


class SingleExport(TypedDict):
    data: ExportWithFiles


class MovedData(TypedDict):
    id: str
    location: str


class Moved(TypedDict):
    data: MovedData


ProblemErrorsItem = TypedDict("ProblemErrorsItem", {
    "in": "Literal[\"query\", \"path\", \"header\"]",
    "name": "str",
    "value": "str",
    "code": "str",
    "detail": "str",
})


class _ProblemAlways(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str


class Problem(_ProblemAlways, total=False):
    errors: List[ProblemErrorsItem]
    upgradeUrl: str
    currentTier: str
    requiredTier: str
    retryAfterSeconds: int
    head: int
    fullExport: str


def _segment(id: str) -> str:
    return urllib.parse.quote(id, safe="")


class Operations:
    """What the API answers, one method for each operation."""

    def _get(self, path: str, params: Mapping[str, Any]) -> Any:
        raise NotImplementedError

    def _text(self, path: str, params: Mapping[str, Any]) -> str:
        raise NotImplementedError

    def _all(self, path: str, params: Mapping[str, Any]) -> Iterator[Any]:
        raise NotImplementedError

    def list_events(
        self,
        *,
        q: Optional[str] = None,
        category: Union[Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"], Sequence[Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"]], None] = None,
        neighborhood: Optional[str] = None,
        venue_id: Optional[str] = None,
        start_date: Union[str, datetime.date, datetime.datetime, None] = None,
        end_date: Union[str, datetime.date, datetime.datetime, None] = None,
        when: Optional[Literal["now", "tonight", "tomorrow", "this_weekend", "next_weekend", "this_week", "next_7_days", "next_30_days", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]] = None,
        free: Optional[bool] = None,
        price_max: Optional[float] = None,
        tags: Union[str, Sequence[str], None] = None,
        updated_since: Union[str, datetime.date, datetime.datetime, None] = None,
        near: Optional[str] = None,
        radius: Optional[float] = None,
        bbox: Optional[str] = None,
        ongoing: Optional[bool] = None,
        status: Union[Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out", "any"], Sequence[Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out", "any"]], None] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        sort: Optional[Literal["score", "start", "distance", "trend", "updated", "relevance"]] = None,
        ask: Optional[str] = None,
        include: Union[Literal["status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"], Sequence[Literal["status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"]], None] = None,
        fields: Union[Literal["id", "title", "slug", "category", "startDatetime", "endDatetime", "description", "imageUrl", "isFree", "priceMin", "priceMax", "discoveryScore", "venue", "url", "status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"], Sequence[Literal["id", "title", "slug", "category", "startDatetime", "endDatetime", "description", "imageUrl", "isFree", "priceMin", "priceMax", "discoveryScore", "venue", "url", "status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"]], None] = None,
        facets: Union[Literal["category", "neighborhood", "free", "day"], Sequence[Literal["category", "neighborhood", "free", "day"]], None] = None,
    ) -> EventList:
        """Search upcoming events. Tier: starter.

        With `include` or `fields` the records are those of ShapedEventList.
        """
        return self._get("/events", {"q": q, "category": category, "neighborhood": neighborhood, "venue_id": venue_id, "start_date": start_date, "end_date": end_date, "when": when, "free": free, "price_max": price_max, "tags": tags, "updated_since": updated_since, "near": near, "radius": radius, "bbox": bbox, "ongoing": ongoing, "status": status, "limit": limit, "offset": offset, "sort": sort, "ask": ask, "include": include, "fields": fields, "facets": facets})

    def all_events(
        self,
        *,
        q: Optional[str] = None,
        category: Union[Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"], Sequence[Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"]], None] = None,
        neighborhood: Optional[str] = None,
        venue_id: Optional[str] = None,
        start_date: Union[str, datetime.date, datetime.datetime, None] = None,
        end_date: Union[str, datetime.date, datetime.datetime, None] = None,
        when: Optional[Literal["now", "tonight", "tomorrow", "this_weekend", "next_weekend", "this_week", "next_7_days", "next_30_days", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]] = None,
        free: Optional[bool] = None,
        price_max: Optional[float] = None,
        tags: Union[str, Sequence[str], None] = None,
        updated_since: Union[str, datetime.date, datetime.datetime, None] = None,
        near: Optional[str] = None,
        radius: Optional[float] = None,
        bbox: Optional[str] = None,
        ongoing: Optional[bool] = None,
        status: Union[Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out", "any"], Sequence[Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out", "any"]], None] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        sort: Optional[Literal["score", "start", "distance", "trend", "updated", "relevance"]] = None,
        ask: Optional[str] = None,
        include: Union[Literal["status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"], Sequence[Literal["status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"]], None] = None,
        fields: Union[Literal["id", "title", "slug", "category", "startDatetime", "endDatetime", "description", "imageUrl", "isFree", "priceMin", "priceMax", "discoveryScore", "venue", "url", "status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"], Sequence[Literal["id", "title", "slug", "category", "startDatetime", "endDatetime", "description", "imageUrl", "isFree", "priceMin", "priceMax", "discoveryScore", "venue", "url", "status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"]], None] = None,
        facets: Union[Literal["category", "neighborhood", "free", "day"], Sequence[Literal["category", "neighborhood", "free", "day"]], None] = None,
    ) -> Iterator[Event]:
        """Every record of `list_events`, page by page."""
        return self._all("/events", {"q": q, "category": category, "neighborhood": neighborhood, "venue_id": venue_id, "start_date": start_date, "end_date": end_date, "when": when, "free": free, "price_max": price_max, "tags": tags, "updated_since": updated_since, "near": near, "radius": radius, "bbox": bbox, "ongoing": ongoing, "status": status, "limit": limit, "offset": offset, "sort": sort, "ask": ask, "include": include, "fields": fields, "facets": facets})

    def get_event(
        self,
        id: str,
        *,
        include: Union[Literal["status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"], Sequence[Literal["status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"]], None] = None,
        fields: Union[Literal["id", "title", "slug", "category", "startDatetime", "endDatetime", "description", "imageUrl", "isFree", "priceMin", "priceMax", "discoveryScore", "venue", "url", "performers", "tags", "sources", "status", "timezone", "currency", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"], Sequence[Literal["id", "title", "slug", "category", "startDatetime", "endDatetime", "description", "imageUrl", "isFree", "priceMin", "priceMax", "discoveryScore", "venue", "url", "performers", "tags", "sources", "status", "timezone", "currency", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"]], None] = None,
    ) -> SingleEvent:
        """One event. Tier: starter.

        With `include` or `fields` the records are those of ShapedSingleEvent.
        """
        return self._get(f"/events/{_segment(id)}", {"include": include, "fields": fields})

    def list_venues(
        self,
        *,
        q: Optional[str] = None,
        type: Union[Literal["bar", "restaurant", "arena", "park", "theater", "gallery", "club", "stadium", "brewery", "museum"], Sequence[Literal["bar", "restaurant", "arena", "park", "theater", "gallery", "club", "stadium", "brewery", "museum"]], None] = None,
        neighborhood: Optional[str] = None,
        capacity: Union[Literal["intimate", "small", "medium", "large"], Sequence[Literal["intimate", "small", "medium", "large"]], None] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        near: Optional[str] = None,
        radius: Optional[float] = None,
        bbox: Optional[str] = None,
        verified: Optional[bool] = None,
        include: Union[Literal["locationPrecision"], Sequence[Literal["locationPrecision"]], None] = None,
    ) -> VenueList:
        """Search verified venues. Tier: starter."""
        return self._get("/venues", {"q": q, "type": type, "neighborhood": neighborhood, "capacity": capacity, "limit": limit, "offset": offset, "near": near, "radius": radius, "bbox": bbox, "verified": verified, "include": include})

    def all_venues(
        self,
        *,
        q: Optional[str] = None,
        type: Union[Literal["bar", "restaurant", "arena", "park", "theater", "gallery", "club", "stadium", "brewery", "museum"], Sequence[Literal["bar", "restaurant", "arena", "park", "theater", "gallery", "club", "stadium", "brewery", "museum"]], None] = None,
        neighborhood: Optional[str] = None,
        capacity: Union[Literal["intimate", "small", "medium", "large"], Sequence[Literal["intimate", "small", "medium", "large"]], None] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        near: Optional[str] = None,
        radius: Optional[float] = None,
        bbox: Optional[str] = None,
        verified: Optional[bool] = None,
        include: Union[Literal["locationPrecision"], Sequence[Literal["locationPrecision"]], None] = None,
    ) -> Iterator[Venue]:
        """Every record of `list_venues`, page by page."""
        return self._all("/venues", {"q": q, "type": type, "neighborhood": neighborhood, "capacity": capacity, "limit": limit, "offset": offset, "near": near, "radius": radius, "bbox": bbox, "verified": verified, "include": include})

    def get_venue(
        self,
        id: str,
        *,
        include: Union[Literal["locationPrecision"], Sequence[Literal["locationPrecision"]], None] = None,
    ) -> SingleVenue:
        """One venue. Tier: starter."""
        return self._get(f"/venues/{_segment(id)}", {"include": include})

    def list_venue_events(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        include: Union[Literal["status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"], Sequence[Literal["status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"]], None] = None,
        fields: Union[Literal["id", "title", "category", "startDatetime", "isFree", "discoveryScore", "status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"], Sequence[Literal["id", "title", "category", "startDatetime", "isFree", "discoveryScore", "status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"]], None] = None,
    ) -> CompactEventList:
        """Upcoming events at one venue. Tier: starter.

        With `include` or `fields` the records are those of ShapedCompactEventList.
        """
        return self._get(f"/venues/{_segment(id)}/events", {"limit": limit, "offset": offset, "include": include, "fields": fields})

    def all_venue_events(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        include: Union[Literal["status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"], Sequence[Literal["status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"]], None] = None,
        fields: Union[Literal["id", "title", "category", "startDatetime", "isFree", "discoveryScore", "status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"], Sequence[Literal["id", "title", "category", "startDatetime", "isFree", "discoveryScore", "status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"]], None] = None,
    ) -> Iterator[EventCompact]:
        """Every record of `list_venue_events`, page by page."""
        return self._all(f"/venues/{_segment(id)}/events", {"limit": limit, "offset": offset, "include": include, "fields": fields})

    def list_neighborhoods(
        self,
    ) -> NeighborhoodList:
        """Neighborhoods with their counts. Tier: growth."""
        return self._get("/neighborhoods", {})

    def get_trending(
        self,
        *,
        type: Union[Literal["events", "venues"], Sequence[Literal["events", "venues"]], None] = None,
        limit: Optional[int] = None,
        include: Union[Literal["reason"], Sequence[Literal["reason"]], None] = None,
    ) -> Trending:
        """Trending events and venues. Tier: growth."""
        return self._get("/trending", {"type": type, "limit": limit, "include": include})

    def get_suggestions(
        self,
        *,
        ask: Optional[str] = None,
    ) -> SuggestionList:
        """Suggestions while somebody types. Tier: starter."""
        return self._get("/suggest", {"ask": ask})

    def list_changes(
        self,
        *,
        after: Optional[str] = None,
        limit: Optional[int] = None,
        entity: Union[Literal["event", "venue", "neighborhood"], Sequence[Literal["event", "venue", "neighborhood"]], None] = None,
        kind: Union[Literal["created", "updated", "cancelled", "rescheduled", "merged", "removed", "scored", "any"], Sequence[Literal["created", "updated", "cancelled", "rescheduled", "merged", "removed", "scored", "any"]], None] = None,
        wait: Optional[int] = None,
        q: Optional[str] = None,
        category: Union[Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"], Sequence[Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"]], None] = None,
        neighborhood: Optional[str] = None,
        venue_id: Optional[str] = None,
        start_date: Union[str, datetime.date, datetime.datetime, None] = None,
        end_date: Union[str, datetime.date, datetime.datetime, None] = None,
        when: Optional[Literal["now", "tonight", "tomorrow", "this_weekend", "next_weekend", "this_week", "next_7_days", "next_30_days", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]] = None,
        free: Optional[bool] = None,
        price_max: Optional[float] = None,
        tags: Union[str, Sequence[str], None] = None,
        updated_since: Union[str, datetime.date, datetime.datetime, None] = None,
        near: Optional[str] = None,
        radius: Optional[float] = None,
        bbox: Optional[str] = None,
        ongoing: Optional[bool] = None,
        status: Union[Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out", "any"], Sequence[Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out", "any"]], None] = None,
    ) -> ChangeList:
        """Everything that changes, in order. Tier: enterprise."""
        return self._get("/changes", {"after": after, "limit": limit, "entity": entity, "kind": kind, "wait": wait, "q": q, "category": category, "neighborhood": neighborhood, "venue_id": venue_id, "start_date": start_date, "end_date": end_date, "when": when, "free": free, "price_max": price_max, "tags": tags, "updated_since": updated_since, "near": near, "radius": radius, "bbox": bbox, "ongoing": ongoing, "status": status})

    def get_checksums(
        self,
        *,
        entity: Optional[Literal["event", "venue"]] = None,
        at: Optional[int] = None,
    ) -> Checksums:
        """Checksums to compare with a copy. Tier: enterprise."""
        return self._get("/changes/checksum", {"entity": entity, "at": at})

    def list_realtime_pages(
        self,
        *,
        afterChangeNumber: Optional[int] = None,
        limit: Optional[int] = None,
        epoch: Optional[str] = None,
        entity: Optional[Literal["event", "venue"]] = None,
    ) -> RealtimePage:
        """The change log as Realtime Paged Data Exchange. Tier: enterprise."""
        return self._get("/changes.rpde", {"afterChangeNumber": afterChangeNumber, "limit": limit, "epoch": epoch, "entity": entity})

    def list_feeds(
        self,
    ) -> FeedList:
        """Saved queries. Tier: enterprise."""
        return self._get("/feeds", {})

    def get_feed(
        self,
        id: str,
    ) -> SingleFeed:
        """One saved query. Tier: enterprise."""
        return self._get(f"/feeds/{_segment(id)}", {})

    def list_exports(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
    ) -> ExportList:
        """Exports of the account. Tier: enterprise."""
        return self._get("/exports", {"limit": limit, "offset": offset})

    def all_exports(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
    ) -> Iterator[Export]:
        """Every record of `list_exports`, page by page."""
        return self._all("/exports", {"limit": limit, "offset": offset})

    def get_export(
        self,
        id: str,
    ) -> SingleExport:
        """One export with its files. Tier: enterprise."""
        return self._get(f"/exports/{_segment(id)}", {})

    def get_usage(
        self,
    ) -> Usage:
        """Your usage and limits. Tier: starter."""
        return self._get("/usage", {})

    def list_events_as_calendar(
        self,
        *,
        q: Optional[str] = None,
        category: Union[Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"], Sequence[Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"]], None] = None,
        neighborhood: Optional[str] = None,
        venue_id: Optional[str] = None,
        start_date: Union[str, datetime.date, datetime.datetime, None] = None,
        end_date: Union[str, datetime.date, datetime.datetime, None] = None,
        when: Optional[Literal["now", "tonight", "tomorrow", "this_weekend", "next_weekend", "this_week", "next_7_days", "next_30_days", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]] = None,
        free: Optional[bool] = None,
        price_max: Optional[float] = None,
        tags: Union[str, Sequence[str], None] = None,
        updated_since: Union[str, datetime.date, datetime.datetime, None] = None,
        near: Optional[str] = None,
        radius: Optional[float] = None,
        bbox: Optional[str] = None,
        ongoing: Optional[bool] = None,
        status: Union[Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out", "any"], Sequence[Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out", "any"]], None] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        sort: Optional[Literal["score", "start", "distance", "trend", "updated", "relevance"]] = None,
    ) -> str:
        """Events as a calendar (iCalendar). Tier: starter."""
        return self._text("/events.ics", {"q": q, "category": category, "neighborhood": neighborhood, "venue_id": venue_id, "start_date": start_date, "end_date": end_date, "when": when, "free": free, "price_max": price_max, "tags": tags, "updated_since": updated_since, "near": near, "radius": radius, "bbox": bbox, "ongoing": ongoing, "status": status, "limit": limit, "offset": offset, "sort": sort})

    def list_events_as_rss(
        self,
        *,
        q: Optional[str] = None,
        category: Union[Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"], Sequence[Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"]], None] = None,
        neighborhood: Optional[str] = None,
        venue_id: Optional[str] = None,
        start_date: Union[str, datetime.date, datetime.datetime, None] = None,
        end_date: Union[str, datetime.date, datetime.datetime, None] = None,
        when: Optional[Literal["now", "tonight", "tomorrow", "this_weekend", "next_weekend", "this_week", "next_7_days", "next_30_days", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]] = None,
        free: Optional[bool] = None,
        price_max: Optional[float] = None,
        tags: Union[str, Sequence[str], None] = None,
        updated_since: Union[str, datetime.date, datetime.datetime, None] = None,
        near: Optional[str] = None,
        radius: Optional[float] = None,
        bbox: Optional[str] = None,
        ongoing: Optional[bool] = None,
        status: Union[Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out", "any"], Sequence[Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out", "any"]], None] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        sort: Optional[Literal["score", "start", "distance", "trend", "updated", "relevance"]] = None,
    ) -> str:
        """Events as a feed (RSS 2.0). Tier: starter."""
        return self._text("/events.rss", {"q": q, "category": category, "neighborhood": neighborhood, "venue_id": venue_id, "start_date": start_date, "end_date": end_date, "when": when, "free": free, "price_max": price_max, "tags": tags, "updated_since": updated_since, "near": near, "radius": radius, "bbox": bbox, "ongoing": ongoing, "status": status, "limit": limit, "offset": offset, "sort": sort})

    def list_events_as_atom(
        self,
        *,
        q: Optional[str] = None,
        category: Union[Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"], Sequence[Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"]], None] = None,
        neighborhood: Optional[str] = None,
        venue_id: Optional[str] = None,
        start_date: Union[str, datetime.date, datetime.datetime, None] = None,
        end_date: Union[str, datetime.date, datetime.datetime, None] = None,
        when: Optional[Literal["now", "tonight", "tomorrow", "this_weekend", "next_weekend", "this_week", "next_7_days", "next_30_days", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]] = None,
        free: Optional[bool] = None,
        price_max: Optional[float] = None,
        tags: Union[str, Sequence[str], None] = None,
        updated_since: Union[str, datetime.date, datetime.datetime, None] = None,
        near: Optional[str] = None,
        radius: Optional[float] = None,
        bbox: Optional[str] = None,
        ongoing: Optional[bool] = None,
        status: Union[Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out", "any"], Sequence[Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out", "any"]], None] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        sort: Optional[Literal["score", "start", "distance", "trend", "updated", "relevance"]] = None,
    ) -> str:
        """Events as a feed (Atom). Tier: starter."""
        return self._text("/events.atom", {"q": q, "category": category, "neighborhood": neighborhood, "venue_id": venue_id, "start_date": start_date, "end_date": end_date, "when": when, "free": free, "price_max": price_max, "tags": tags, "updated_since": updated_since, "near": near, "radius": radius, "bbox": bbox, "ongoing": ongoing, "status": status, "limit": limit, "offset": offset, "sort": sort})

    def list_events_as_json_feed(
        self,
        *,
        q: Optional[str] = None,
        category: Union[Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"], Sequence[Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"]], None] = None,
        neighborhood: Optional[str] = None,
        venue_id: Optional[str] = None,
        start_date: Union[str, datetime.date, datetime.datetime, None] = None,
        end_date: Union[str, datetime.date, datetime.datetime, None] = None,
        when: Optional[Literal["now", "tonight", "tomorrow", "this_weekend", "next_weekend", "this_week", "next_7_days", "next_30_days", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]] = None,
        free: Optional[bool] = None,
        price_max: Optional[float] = None,
        tags: Union[str, Sequence[str], None] = None,
        updated_since: Union[str, datetime.date, datetime.datetime, None] = None,
        near: Optional[str] = None,
        radius: Optional[float] = None,
        bbox: Optional[str] = None,
        ongoing: Optional[bool] = None,
        status: Union[Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out", "any"], Sequence[Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out", "any"]], None] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        sort: Optional[Literal["score", "start", "distance", "trend", "updated", "relevance"]] = None,
    ) -> str:
        """Events as a feed (JSON Feed 1.1). Tier: starter."""
        return self._text("/events.feed.json", {"q": q, "category": category, "neighborhood": neighborhood, "venue_id": venue_id, "start_date": start_date, "end_date": end_date, "when": when, "free": free, "price_max": price_max, "tags": tags, "updated_since": updated_since, "near": near, "radius": radius, "bbox": bbox, "ongoing": ongoing, "status": status, "limit": limit, "offset": offset, "sort": sort})

    def list_events_as_geo_json(
        self,
        *,
        q: Optional[str] = None,
        category: Union[Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"], Sequence[Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"]], None] = None,
        neighborhood: Optional[str] = None,
        venue_id: Optional[str] = None,
        start_date: Union[str, datetime.date, datetime.datetime, None] = None,
        end_date: Union[str, datetime.date, datetime.datetime, None] = None,
        when: Optional[Literal["now", "tonight", "tomorrow", "this_weekend", "next_weekend", "this_week", "next_7_days", "next_30_days", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]] = None,
        free: Optional[bool] = None,
        price_max: Optional[float] = None,
        tags: Union[str, Sequence[str], None] = None,
        updated_since: Union[str, datetime.date, datetime.datetime, None] = None,
        near: Optional[str] = None,
        radius: Optional[float] = None,
        bbox: Optional[str] = None,
        ongoing: Optional[bool] = None,
        status: Union[Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out", "any"], Sequence[Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out", "any"]], None] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        sort: Optional[Literal["score", "start", "distance", "trend", "updated", "relevance"]] = None,
        include: Union[Literal["status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"], Sequence[Literal["status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"]], None] = None,
        fields: Union[Literal["id", "title", "slug", "category", "startDatetime", "endDatetime", "description", "imageUrl", "isFree", "priceMin", "priceMax", "discoveryScore", "venue", "url", "status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"], Sequence[Literal["id", "title", "slug", "category", "startDatetime", "endDatetime", "description", "imageUrl", "isFree", "priceMin", "priceMax", "discoveryScore", "venue", "url", "status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"]], None] = None,
    ) -> str:
        """Events as a map (GeoJSON). Tier: starter."""
        return self._text("/events.geojson", {"q": q, "category": category, "neighborhood": neighborhood, "venue_id": venue_id, "start_date": start_date, "end_date": end_date, "when": when, "free": free, "price_max": price_max, "tags": tags, "updated_since": updated_since, "near": near, "radius": radius, "bbox": bbox, "ongoing": ongoing, "status": status, "limit": limit, "offset": offset, "sort": sort, "include": include, "fields": fields})

    def list_events_as_csv(
        self,
        *,
        q: Optional[str] = None,
        category: Union[Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"], Sequence[Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"]], None] = None,
        neighborhood: Optional[str] = None,
        venue_id: Optional[str] = None,
        start_date: Union[str, datetime.date, datetime.datetime, None] = None,
        end_date: Union[str, datetime.date, datetime.datetime, None] = None,
        when: Optional[Literal["now", "tonight", "tomorrow", "this_weekend", "next_weekend", "this_week", "next_7_days", "next_30_days", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]] = None,
        free: Optional[bool] = None,
        price_max: Optional[float] = None,
        tags: Union[str, Sequence[str], None] = None,
        updated_since: Union[str, datetime.date, datetime.datetime, None] = None,
        near: Optional[str] = None,
        radius: Optional[float] = None,
        bbox: Optional[str] = None,
        ongoing: Optional[bool] = None,
        status: Union[Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out", "any"], Sequence[Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out", "any"]], None] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        sort: Optional[Literal["score", "start", "distance", "trend", "updated", "relevance"]] = None,
        bom: Optional[bool] = None,
    ) -> str:
        """Events as a table (CSV). Tier: starter."""
        return self._text("/events.csv", {"q": q, "category": category, "neighborhood": neighborhood, "venue_id": venue_id, "start_date": start_date, "end_date": end_date, "when": when, "free": free, "price_max": price_max, "tags": tags, "updated_since": updated_since, "near": near, "radius": radius, "bbox": bbox, "ongoing": ongoing, "status": status, "limit": limit, "offset": offset, "sort": sort, "bom": bom})

    def list_events_as_json_lines(
        self,
        *,
        q: Optional[str] = None,
        category: Union[Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"], Sequence[Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"]], None] = None,
        neighborhood: Optional[str] = None,
        venue_id: Optional[str] = None,
        start_date: Union[str, datetime.date, datetime.datetime, None] = None,
        end_date: Union[str, datetime.date, datetime.datetime, None] = None,
        when: Optional[Literal["now", "tonight", "tomorrow", "this_weekend", "next_weekend", "this_week", "next_7_days", "next_30_days", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]] = None,
        free: Optional[bool] = None,
        price_max: Optional[float] = None,
        tags: Union[str, Sequence[str], None] = None,
        updated_since: Union[str, datetime.date, datetime.datetime, None] = None,
        near: Optional[str] = None,
        radius: Optional[float] = None,
        bbox: Optional[str] = None,
        ongoing: Optional[bool] = None,
        status: Union[Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out", "any"], Sequence[Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out", "any"]], None] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        sort: Optional[Literal["score", "start", "distance", "trend", "updated", "relevance"]] = None,
        include: Union[Literal["status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"], Sequence[Literal["status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"]], None] = None,
        fields: Union[Literal["id", "title", "slug", "category", "startDatetime", "endDatetime", "description", "imageUrl", "isFree", "priceMin", "priceMax", "discoveryScore", "venue", "url", "status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"], Sequence[Literal["id", "title", "slug", "category", "startDatetime", "endDatetime", "description", "imageUrl", "isFree", "priceMin", "priceMax", "discoveryScore", "venue", "url", "status", "timezone", "currency", "sources", "tags", "performers", "score", "updatedAt", "locationPrecision", "startPrecision", "organizer"]], None] = None,
    ) -> str:
        """Events as lines of JSON (NDJSON). Tier: starter."""
        return self._text("/events.ndjson", {"q": q, "category": category, "neighborhood": neighborhood, "venue_id": venue_id, "start_date": start_date, "end_date": end_date, "when": when, "free": free, "price_max": price_max, "tags": tags, "updated_since": updated_since, "near": near, "radius": radius, "bbox": bbox, "ongoing": ongoing, "status": status, "limit": limit, "offset": offset, "sort": sort, "include": include, "fields": fields})

    def list_events_as_json_ld(
        self,
        *,
        q: Optional[str] = None,
        category: Union[Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"], Sequence[Literal["concert", "sports", "comedy", "theater", "festival", "food", "art", "community", "nightlife", "family", "outdoor"]], None] = None,
        neighborhood: Optional[str] = None,
        venue_id: Optional[str] = None,
        start_date: Union[str, datetime.date, datetime.datetime, None] = None,
        end_date: Union[str, datetime.date, datetime.datetime, None] = None,
        when: Optional[Literal["now", "tonight", "tomorrow", "this_weekend", "next_weekend", "this_week", "next_7_days", "next_30_days", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]] = None,
        free: Optional[bool] = None,
        price_max: Optional[float] = None,
        tags: Union[str, Sequence[str], None] = None,
        updated_since: Union[str, datetime.date, datetime.datetime, None] = None,
        near: Optional[str] = None,
        radius: Optional[float] = None,
        bbox: Optional[str] = None,
        ongoing: Optional[bool] = None,
        status: Union[Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out", "any"], Sequence[Literal["scheduled", "cancelled", "postponed", "rescheduled", "sold_out", "any"]], None] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        sort: Optional[Literal["score", "start", "distance", "trend", "updated", "relevance"]] = None,
    ) -> str:
        """Events as linked data (JSON-LD). Tier: starter."""
        return self._text("/events.jsonld", {"q": q, "category": category, "neighborhood": neighborhood, "venue_id": venue_id, "start_date": start_date, "end_date": end_date, "when": when, "free": free, "price_max": price_max, "tags": tags, "updated_since": updated_since, "near": near, "radius": radius, "bbox": bbox, "ongoing": ongoing, "status": status, "limit": limit, "offset": offset, "sort": sort})

    def list_venues_as_geo_json(
        self,
        *,
        q: Optional[str] = None,
        type: Union[Literal["bar", "restaurant", "arena", "park", "theater", "gallery", "club", "stadium", "brewery", "museum"], Sequence[Literal["bar", "restaurant", "arena", "park", "theater", "gallery", "club", "stadium", "brewery", "museum"]], None] = None,
        neighborhood: Optional[str] = None,
        capacity: Union[Literal["intimate", "small", "medium", "large"], Sequence[Literal["intimate", "small", "medium", "large"]], None] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        near: Optional[str] = None,
        radius: Optional[float] = None,
        bbox: Optional[str] = None,
        verified: Optional[bool] = None,
    ) -> str:
        """Venues as a map (GeoJSON). Tier: starter."""
        return self._text("/venues.geojson", {"q": q, "type": type, "neighborhood": neighborhood, "capacity": capacity, "limit": limit, "offset": offset, "near": near, "radius": radius, "bbox": bbox, "verified": verified})

    def list_venues_as_csv(
        self,
        *,
        q: Optional[str] = None,
        type: Union[Literal["bar", "restaurant", "arena", "park", "theater", "gallery", "club", "stadium", "brewery", "museum"], Sequence[Literal["bar", "restaurant", "arena", "park", "theater", "gallery", "club", "stadium", "brewery", "museum"]], None] = None,
        neighborhood: Optional[str] = None,
        capacity: Union[Literal["intimate", "small", "medium", "large"], Sequence[Literal["intimate", "small", "medium", "large"]], None] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        near: Optional[str] = None,
        radius: Optional[float] = None,
        bbox: Optional[str] = None,
        verified: Optional[bool] = None,
        bom: Optional[bool] = None,
    ) -> str:
        """Venues as a table (CSV). Tier: starter."""
        return self._text("/venues.csv", {"q": q, "type": type, "neighborhood": neighborhood, "capacity": capacity, "limit": limit, "offset": offset, "near": near, "radius": radius, "bbox": bbox, "verified": verified, "bom": bom})

    def list_venues_as_json_lines(
        self,
        *,
        q: Optional[str] = None,
        type: Union[Literal["bar", "restaurant", "arena", "park", "theater", "gallery", "club", "stadium", "brewery", "museum"], Sequence[Literal["bar", "restaurant", "arena", "park", "theater", "gallery", "club", "stadium", "brewery", "museum"]], None] = None,
        neighborhood: Optional[str] = None,
        capacity: Union[Literal["intimate", "small", "medium", "large"], Sequence[Literal["intimate", "small", "medium", "large"]], None] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        near: Optional[str] = None,
        radius: Optional[float] = None,
        bbox: Optional[str] = None,
        verified: Optional[bool] = None,
    ) -> str:
        """Venues as lines of JSON (NDJSON). Tier: starter."""
        return self._text("/venues.ndjson", {"q": q, "type": type, "neighborhood": neighborhood, "capacity": capacity, "limit": limit, "offset": offset, "near": near, "radius": radius, "bbox": bbox, "verified": verified})

    def list_venues_as_json_ld(
        self,
        *,
        q: Optional[str] = None,
        type: Union[Literal["bar", "restaurant", "arena", "park", "theater", "gallery", "club", "stadium", "brewery", "museum"], Sequence[Literal["bar", "restaurant", "arena", "park", "theater", "gallery", "club", "stadium", "brewery", "museum"]], None] = None,
        neighborhood: Optional[str] = None,
        capacity: Union[Literal["intimate", "small", "medium", "large"], Sequence[Literal["intimate", "small", "medium", "large"]], None] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        near: Optional[str] = None,
        radius: Optional[float] = None,
        bbox: Optional[str] = None,
        verified: Optional[bool] = None,
    ) -> str:
        """Venues as linked data (JSON-LD). Tier: starter."""
        return self._text("/venues.jsonld", {"q": q, "type": type, "neighborhood": neighborhood, "capacity": capacity, "limit": limit, "offset": offset, "near": near, "radius": radius, "bbox": bbox, "verified": verified})
