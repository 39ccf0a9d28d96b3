/**
 * Words beside dates and times, folded, by language. Names of months and weekdays come from `Intl`. Phrases may have several words.
 */

export type WordKind =
  | 'at'
  /** Between two times or two days `to`, elsewhere `at`. */
  | 'to-or-at'
  | 'to'
  | 'from'
  | 'and'
  | 'filler'
  | 'doors'
  | 'show'
  | 'late'
  | 'more'
  | 'refused'
  | 'noon'
  | 'midnight'
  | 'yesterday'
  | 'today'
  | 'tomorrow'
  | 'after-tomorrow';

/** What stands after a number of hours. */
export type HourKind = 'hour' | 'am' | 'pm';

type Table = Partial<Record<WordKind | HourKind, string>>;

/** In every language. */
const COMMON: Table = { doors: 'doors', show: 'show', hour: 'h, hrs', and: '&, +', at: '@' };
/** In every language but German, where `am` is `on`. */
const HALVES: Table = { am: 'am, a', pm: 'pm, p' };

/** `refused` are words of repetition and exception: a date beside them is not the whole truth. */
const BY_LANGUAGE: Readonly<Record<string, Table>> = {
  __proto__: null as never,
  en: {
    at: 'at',
    to: 'to, until, till, til, through, thru, ends, ending, ends at, ends on',
    from: 'from, between',
    and: 'and, plus',
    filler:
      'on, of, the, this, date, dates, time, times, when, daily, each day, local time, day, evening, sharp, promptly, all ages, ages, over',
    doors: 'door, doors open, doors at, door time, doors opening, door opens, gate, gates, gates open, gates at',
    show: 'shows, showtime, show time, starts, starting, start, begins, beginning, performance, concert, music, curtain, curtain time, event, event starts, event time, event begins, live music, headliner, set, downbeat, kickoff, kick off, show starts, show begins, music starts',
    late: 'late, close, closing',
    more: 'more, more dates, others, other dates',
    refused: 'every, each, weekly, biweekly, monthly, except, excluding, closed, or, next, last',
    noon: 'noon, midday',
    midnight: 'midnight',
    yesterday: 'yesterday',
    today: 'today, tonight, this evening',
    tomorrow: 'tomorrow, tomorrow night',
    hour: 'hr, hour, hours, o clock',
    am: 'in the morning',
    pm: 'in the evening, in the afternoon, at night',
  },
  fr: {
    at: 'vers, des',
    'to-or-at': 'a',
    to: 'au, jusqu a, jusqu au, jusque, fin, se termine, se termine le, termine',
    from: 'du, de, des, des le, a partir du, a partir de, a compter du, entre',
    and: 'et, puis',
    filler: 'le, la, les, ce, cette, date, dates, quand, heure locale, tous les jours, chaque jour, d',
    doors:
      'porte, portes, ouverture, ouverture des portes, ouverture de la salle, accueil, ouverture de portes, ouverture portes',
    show: 'spectacle, concert, debut, debute, debut du spectacle, debut du concert, commence, representation, seance, debut de la seance',
    late: 'tard',
    more: 'autres, autres dates, de plus',
    refused: 'chaque, tous les, toutes les, hebdomadaire, mensuel, sauf, excepte, ferme, relache, ou, prochain, dernier',
    noon: 'midi',
    midnight: 'minuit',
    yesterday: 'hier',
    today: 'aujourd hui, ce soir',
    tomorrow: 'demain, demain soir',
    'after-tomorrow': 'apres-demain, apres demain',
    hour: 'heure, heures, hres',
    am: 'du matin',
    pm: 'du soir, de l apres-midi',
  },
  de: {
    at: 'um, gegen, ab',
    to: 'bis, bis zum, ende, endet, endet um',
    from: 'vom, von, ab, ab dem, zwischen',
    and: 'und, sowie',
    filler: 'am, den, dem, der, die, im, diesen, datum, termin, wann, taglich, jeweils, uhrzeit',
    doors: 'einlass, einlass ab, turoffnung, tur, turen, turen offnen, turoffnung ab, saaloffnung',
    show: 'beginn, beginnt, beginn um, start, startet, konzert, konzertbeginn, vorstellung, konzertstart, showbeginn, programmbeginn, los geht s',
    late: 'open end, spat',
    more: 'weitere, weitere termine, mehr',
    refused: 'jeden, jede, jeder, jedes, wochentlich, monatlich, ausser, geschlossen, oder, nachsten, nachste',
    noon: 'mittag, mittags',
    midnight: 'mitternacht, mitternachts',
    yesterday: 'gestern',
    today: 'heute, heute abend',
    tomorrow: 'morgen, morgen abend',
    'after-tomorrow': 'ubermorgen',
    hour: 'uhr, std',
    am: 'morgens, vormittags, fruh',
    pm: 'abends, nachmittags',
  },
  es: {
    at: 'a la, de las, de la, desde las',
    'to-or-at': 'a, a las',
    to: 'al, hasta, hasta el, hasta las, fin, termina',
    from: 'del, de, desde, desde el, a partir del, a partir de, entre',
    and: 'y, e',
    filler: 'el, la, los, las, este, esta, fecha, dia, dias, todos los dias, hora',
    doors:
      'puertas, apertura, apertura de puertas, apertura puertas, puerta, apertura de puerta, apertura de sala, acceso, acceso desde, ingreso',
    show: 'concierto, espectaculo, inicio, comienzo, comienza, empieza, funcion, concierto inicio, inicio concierto, inicio del concierto, hora de inicio',
    late: 'tarde',
    more: 'mas, otras fechas',
    refused: 'cada, todos los, todas las, semanal, mensual, excepto, salvo, cerrado, o, proximo, ultimo',
    noon: 'mediodia, del mediodia',
    midnight: 'medianoche',
    yesterday: 'ayer',
    today: 'hoy, esta noche',
    tomorrow: 'manana, manana por la noche',
    'after-tomorrow': 'pasado manana',
    hour: 'hs, hora, horas',
    am: 'de la manana',
    pm: 'de la tarde, de la noche',
  },
  it: {
    at: 'ore, h, dalle, dalle ore, dalla, ora',
    'to-or-at': 'alle, alle ore, a, all',
    to: 'al, fino al, fino alle, fino a, fine, termina',
    from: 'dal, da, a partire dal, a partire da, tra',
    and: 'e, ed',
    filler: 'il, lo, la, l, i, di, del, questo, questa, data, giorno, giorni, tutti i giorni',
    doors:
      'porte, apertura, apertura porte, apertura delle porte, porta, ingresso, ingressi, cancelli, apertura cancelli, apertura dei cancelli',
    show: 'inizio, inizia, concerto, spettacolo, inizio concerto, inizio spettacolo, inizio concerti',
    late: 'tardi',
    more: 'altre, altre date, altri',
    refused: 'ogni, tutti i, tutte le, settimanale, mensile, tranne, escluso, chiuso, o, prossimo, ultimo',
    noon: 'mezzogiorno',
    midnight: 'mezzanotte',
    yesterday: 'ieri',
    today: 'oggi, stasera, questa sera',
    tomorrow: 'domani, domani sera',
    'after-tomorrow': 'dopodomani',
    hour: 'ora',
    am: 'di mattina, del mattino',
    pm: 'di sera, del pomeriggio, della sera',
  },
  nl: {
    at: 'om, vanaf, rond',
    to: 'tot, tot en met, t m, tem, einde, eindigt, eindigt om',
    from: 'van, vanaf, tussen',
    and: 'en',
    filler: 'op, de, het, deze, datum, dagelijks, elke dag, tijd',
    doors: 'deuren, deuren open, zaal open, zaal, deur, deur open, deuren gaan open, zaal gaat open, inloop, inloop vanaf',
    show: 'aanvang, begin, begint, start, concert, voorstelling, aanvang concert, start show, begin concert',
    late: 'laat',
    more: 'meer, andere data',
    refused: 'elke, iedere, wekelijks, maandelijks, behalve, gesloten, of, volgende',
    noon: 'middaguur',
    midnight: 'middernacht',
    yesterday: 'gisteren',
    today: 'vandaag, vanavond',
    tomorrow: 'morgen, morgenavond',
    'after-tomorrow': 'overmorgen',
    hour: 'uur, u',
    am: 's ochtends, s morgens',
    pm: 's avonds, s middags',
  },
  pt: {
    at: 'das, da, pelas, pela, desde as',
    'to-or-at': 'as, a',
    to: 'ao, ate, ate as, ate o, ate ao, ate dia, fim, termina, termina as',
    from: 'de, do, desde, a partir de, a partir do, a partir das, entre',
    and: 'e',
    filler: 'em, no, na, o, os, dia, dias, este, esta, data, hora, horario, todos os dias',
    doors:
      'portas, abertura, abertura das portas, abertura da casa, porta, portoes, abertura dos portoes, abertura de portas, abertura de portoes, abertura portas',
    show: 'inicio, comeca, concerto, espetaculo, inicio do espetaculo, inicio do concerto, inicio do show, apresentacao',
    late: 'tarde',
    more: 'mais, outras datas',
    refused: 'cada, todos os, todas as, toda, todo, semanal, mensal, exceto, fechado, ou, proximo, ultimo',
    noon: 'meio-dia, meio dia',
    midnight: 'meia-noite, meia noite',
    yesterday: 'ontem',
    today: 'hoje, hoje a noite, esta noite',
    tomorrow: 'amanha, amanha a noite',
    'after-tomorrow': 'depois de amanha',
    hour: 'hora, horas',
    am: 'da manha',
    pm: 'da tarde, da noite',
  },
  fi: {
    at: 'klo, kello, alkaen klo',
    to: 'asti, saakka, paattyy',
    from: 'alkaen',
    and: 'ja, seka',
    filler: 'pvm, paivamaara, tana, joka paiva, paivittain',
    doors: 'ovet, ovet auki, ovet aukeavat, ovet avataan, ovet avautuvat, ovi',
    show: 'alkaa, alku, showtime, konsertti, esitys, keikka, keikka alkaa, konsertti alkaa, esitys alkaa, lavalla',
    late: 'myohaan',
    more: 'lisaa',
    refused: 'joka, viikoittain, paitsi, suljettu, tai, ensi',
    noon: 'keskipaiva, keskipaivalla, puolilta paivin',
    midnight: 'keskiyo, keskiyolla, puoliyo',
    yesterday: 'eilen',
    today: 'tanaan, tana iltana',
    tomorrow: 'huomenna',
    'after-tomorrow': 'ylihuomenna',
    hour: 't',
  },
  sv: {
    at: 'kl, klockan',
    to: 'till, till och med, t o m, slutar, slut',
    from: 'fran, fran och med, fr o m, mellan',
    and: 'och, samt',
    filler: 'den, det, pa, datum, dagligen, varje dag, nu',
    doors: 'dorrar, dorrarna, dorrarna oppnar, dorrarna oppnas, inslapp, dorrar oppnar, dorroppning, oppnar, oppning',
    show: 'start, startar, borjar, konsert, forestallning, konsertstart, scenstart, pa scen',
    late: 'sent',
    more: 'fler, fler datum',
    refused: 'varje, veckovis, utom, stangt, eller, nasta',
    noon: 'mitt pa dagen',
    midnight: 'midnatt',
    yesterday: 'igar, i gar',
    today: 'idag, i dag, ikvall, i kvall',
    tomorrow: 'imorgon, i morgon, imorgon kvall, i morgon kvall',
    'after-tomorrow': 'i overmorgon',
    hour: 'timmen',
    am: 'pa morgonen',
    pm: 'pa kvallen, pa eftermiddagen',
  },
  da: {
    at: 'kl, klokken',
    to: 'til, til og med, t o m, slutter',
    from: 'fra, fra og med, mellem',
    and: 'og, samt',
    filler: 'den, det, pa, dato, dagligt, d',
    doors: 'dorene, dorene abner, dore, dorene abnes, dorabning, dore abner, abner, dor',
    show: 'start, starter, begynder, koncert, forestilling, koncertstart, pa scenen, showstart',
    late: 'sent',
    more: 'flere, flere datoer',
    refused: 'hver, ugentlig, undtagen, lukket, eller, naeste',
    midnight: 'midnat',
    yesterday: 'i gar',
    today: 'i dag, i aften',
    tomorrow: 'i morgen, i morgen aften',
    hour: 'timer',
  },
  nb: {
    at: 'kl, klokken',
    to: 'til, til og med, t o m, slutter',
    from: 'fra, fra og med, mellom',
    and: 'og, samt',
    filler: 'den, det, pa, dato, daglig, hver dag',
    doors: 'dor, dorer, dorene, dorene apner, dorene apnes, dorapning, apner',
    show: 'start, starter, begynner, konsert, konsertstart, forestilling, pa scenen',
    late: 'sent',
    more: 'flere, flere datoer',
    refused: 'hver, ukentlig, unntatt, stengt, eller, neste',
    midnight: 'midnatt',
    yesterday: 'i gar',
    today: 'i dag, i kveld',
    tomorrow: 'i morgen, i morgen kveld',
    'after-tomorrow': 'i overmorgen',
    hour: 'timer',
  },
  pl: {
    at: 'o, o godz, o godzinie, godz, godzina, g',
    to: 'do',
    from: 'od, od godz, w godz, w godzinach, miedzy',
    and: 'i, oraz',
    filler: 'dnia, data, termin, kiedy, w, we, r, roku, codziennie',
    doors: 'drzwi, otwarcie drzwi, bramy, otwarcie bram, wejscie, wstep',
    show: 'start, poczatek, rozpoczecie, koncert, spektakl',
    late: 'pozno',
    more: 'wiecej',
    refused: 'kazdy, kazda, kazde, co tydzien, oprocz, zamkniete, lub, albo',
    noon: 'poludnie, w poludnie',
    midnight: 'polnoc, o polnocy, polnocy',
    yesterday: 'wczoraj',
    today: 'dzis, dzisiaj, dzis wieczorem',
    tomorrow: 'jutro, jutro wieczorem',
    'after-tomorrow': 'pojutrze',
  },
  ar: { and: 'و', to: 'الى, حتى', from: 'من', at: 'الساعة' },
};

export interface Phrase<Kind> {
  words: readonly string[];
  kind: Kind;
}

export interface Lexicon {
  /** By first word, the longest first. */
  words: ReadonlyMap<string, readonly Phrase<WordKind>[]>;
  hours: ReadonlyMap<string, readonly Phrase<HourKind>[]>;
}

/** Of a language without words of its own: those that all have. */
export function lexiconOf(language: string): Lexicon {
  const rows = [COMMON, language === 'de' ? {} : HALVES, BY_LANGUAGE[SAME_WORDS[language] ?? language] ?? {}].flatMap((table) =>
    Object.entries(table),
  ) as [WordKind | HourKind, string][];
  const isHour = (kind: string): kind is HourKind => HOUR_KINDS.some((each) => each === kind);
  return {
    words: byFirst(rows.flatMap(([kind, list]) => (isHour(kind) ? [] : phrases(kind, list)))),
    hours: byFirst(rows.flatMap(([kind, list]) => (isHour(kind) ? phrases(kind, list) : []))),
  };
}

function phrases<Kind>(kind: Kind, list: string): Phrase<Kind>[] {
  return list.split(', ').map((phrase) => ({ kind, words: phrase.split(' ') }));
}

function byFirst<Kind>(all: readonly Phrase<Kind>[]): Map<string, Phrase<Kind>[]> {
  const longestFirst = all.toSorted((a, b) => b.words.length - a.words.length);
  return Map.groupBy(longestFirst, ({ words }) => words[0] ?? '');
}

/** Norwegian has several tags. */
const SAME_WORDS: Readonly<Record<string, string>> = { __proto__: null as never, no: 'nb', nn: 'nb' };
const HOUR_KINDS: readonly HourKind[] = ['hour', 'am', 'pm'];
