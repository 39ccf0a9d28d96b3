/** The words and signs of bills: tables for `parse-bill`. Matched without regard to case. */

/** Before it is who presents, after it is what is presented. */
export const PRESENTS = /\s(?:presents?|pres\.|proudly presents|introduces)(?:\s*:\s*|\s+)/i;

/** After it are the acts that come along. `with` may introduce the main act as well: `An Evening with Marrow`. */
export const SUPPORT =
  /\s*(?:[,+&]\s*)?(?:\s(?:w\/|with(?:\s+(?:very\s+)?special\s+guests?)?|feat(?:uring|\.)?|ft\.?|starring|hosted by|dj set by|accompanied by|plus(?:\s+special\s+guests?)?|special\s+guests?|invites)(?:\s*:\s*|\s+))/i;

/** A part of a title that names a tour, an album or an anniversary. */
export const TOUR =
  /\btour\b|\btournée\b|\bgira\b|\balbum\b|\b(?:\d+\s*(?:th|st|nd|rd)?|\p{L}+th)[- ]years?\b|\banniversary\b|\bperform(?:s|ing)?\b|\bplay(?:s|ing)? the\b|\blive (?:at|in|from)\b|\brelease (?:show|party|concert)\b|\bworld premiere\b|\btribute\b|\bjourney\b/iu;

/** A part that names an occasion: a party, a festival, a series. Nobody is called so. */
export const OCCASION =
  /\b(?:part(?:y|ies)|parrty|pride|fest|fests|festivals?|juneteenth|nights?|day|days|weekends?|celebration|anniversary|years of|after ?hours|after|afterparty|brunch|series|sessions?|rave|disco|takeover|showcase|residency|jam|jams|karaoke|cruise|boat|yacht|edition|solstice|midsummer|midsommar|world cup|watch|halloween|carnival|benefit|tribute|concert|in concert|gala|ball|open air|open[- ]mic|happy hour|rooftop|sunset|sunrise|summer|winter|spring|autumn|fall|comedy|stand[- ]?up|jazz|burlesque|drag|bingo|trivia|market|workshop|class|classes|lessons?|for the people|show|shows|musical|opera|ballet|play|gathering|experience|skate|week|monday|tuesday|wednesday|thursday|friday|saturday|sunday|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|fête|fete|nacht|nuit|soirée|abend|noche|fiesta|solo (?:piano|guitar|bass|violin|cello|saxophone|drums))\b/iu;

/** The last word of the name of a group, whatever else is in it: `Alder Jazz Orchestra`. */
const GROUP =
  /\b(?:orchestra|orchester|orchestre|orquesta|band|duo|trio|quartet|quintet|sextet|septet|octet|ensemble|philharmonic|choir)$/i;

export const isOccasion = (text: string): boolean => OCCASION.test(text) && !GROUP.test(text.trim());

/** In brackets or behind a name: how somebody performs, not who. */
export const NOTE =
  /\b(?:live|dj[- ]?set|club set|extended set|hybrid set|all night(?: long)?|open to close|free|rsvp|sold out|rescheduled|postponed|concert|album release|record release|acoustic|solo|early show|late show|tickets?|doors|day ?time|open[- ]air|rooftop|outdoors?|indoors?|event|show|ages?|over|matinee|tape|taping|hour set|nyc|usa|uk|de|fr)\b|\d/i;

/** What is left out of a list of names. */
export const NOBODY =
  /^(?:and\s+)?(?:more|others?|many more|friends|guests?|special guests?|very special guests?|secret guests?|surprise guests?|tb[acd]|t\.b\.[acd]\.?|to be announced|support|supporting acts?|openers?|resident djs?|local djs?|djs?|dj sets?|live|live music|live band|live djs?|band|the band|house band|comedians|open format|all night|all night long|b2b|host|hosts|residents|lineup|line-up|free|rsvp)$/i;

/** Behind a name. */
export const NAME_ENDING =
  /\s*(?:[-–—:,&+]|\band\b)?\s*\b(?:live|dj[- ]set|live set|in concert|(?:and|&|\+)?\s*(?:friends|guests?|more|special guests?)|\(live\)|all night(?: long)?)\s*[!.]*$/i;

/** Signs that stand between acts and in no name. */
export const LIST_SIGN = /\s+(?:\/{1,2}|\||•|·|∙|⋅|\+|b2b|B2B|vs\.?|—|⟡|✦|\*)\s+|\s*[|•]\s*|;\s+/;
/** Signs that stand between acts, and in some names as well: both readings are kept. */
export const WEAK_SIGN = /,\s+(?:and\s+|&\s+)?|\s+(?:x|X|×)\s+/;
/** The same, where two people are one act more often than two. */
export const PAIR_SIGN = /\s+(?:&|and|y|und|et|e)\s+/i;
