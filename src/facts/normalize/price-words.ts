/** The words of prices, one table a language. Alternatives of patterns, without accents; `price.ts` joins the languages. */

interface PriceLanguage {
  /** Nothing is asked. */
  free: string;
  /** What one gives is one's own decision. */
  given: string;
  /** Before the lowest of several prices, and behind it. */
  from: string;
  orMore?: string;
  /** Between two amounts. */
  to: string;
  or: string;
  between: string;
  and: string;
  /** Who pays less or nothing: free for them is not free. */
  people: string;
  /** Before them: `free for members`. */
  for: string;
  /** Units of ages. */
  years: string;
  /** What is paid on top of a price. */
  fees: string;
}

export const PRICE_LANGUAGES: Readonly<Record<string, PriceLanguage>> = {
  en: {
    free: 'free|no cover(?: charge)?|no charge|complimentary',
    given:
      'pay[- ]what[- ]you[- ](?:wish|want|can|will|like)|choose what you pay|pwyw|pwyc|(?:suggested|recommended|voluntary)\\b[^.;|]{0,20}(?:donation|contribution|price)|suggested(?! ages?)|donations?|name your price|pass(?:ing)? the hat|notaflof|no ?(?:one|body)(?: will be)? turned away',
    from: 'from|starting(?: at)?|starts at',
    orMore: '(?:and|&) (?:up|above)|or more|upwards?',
    to: 'to',
    or: 'or',
    between: 'between',
    and: 'and|&',
    people: 'kids|children|members|under[- ]?\\d+s?|infants|toddlers|students|seniors|veterans|\\d+ and under',
    for: 'for',
    years: 'years?|yrs?|y/?o',
    fees: 'fees?|service|booking|handling|charges?|tax(?:es)?|deposit',
  },
  de: {
    free: 'kostenlos|kostenfrei|eintritt(?: ist)? frei|freier eintritt|frei|umsonst|kein eintritt|ohne eintritt',
    given:
      'spenden?|spendenbasis|spendenempfehlung|kollekte|hut(?:konzert|kasse|spende|sammlung)|(?:auf|in den) hut|zahl,? (?:was|so ?viel) du (?:willst|kannst|magst)|freiwilliger (?:beitrag|eintritt)',
    from: 'ab',
    to: 'bis',
    or: 'oder',
    between: 'zwischen',
    and: 'und',
    people: 'kinder|jugendliche|mitglieder|schuler|studierende|unter \\d+',
    for: 'fur',
    years: 'jahren?|j\\.',
    fees: '\\p{L}*-?gebuhr(?:en)?|geb\\.|pfand',
  },
  fr: {
    free: 'gratuite?s?|(?:entree|acces)(?: est)? libre|libre acces|^\\P{L}*libre|sans frais|entree offerte',
    given:
      'prix libre|participation libre|libre participation|tarif libre|paf libre|don libre|dons?|(?:contribution|participation|prix)s? (?:volontaires?|suggeree?s?|conseillee?s?|conscient(?:e?s?))|au chapeau|pa(?:yez|ie) ce que (?:vous|tu) (?:voulez|pouvez|veux|peux)',
    from: 'a partir de|des',
    orMore: 'et plus',
    to: 'a',
    or: 'ou',
    between: 'entre',
    and: 'et',
    people: 'enfants|adherents|membres|etudiants|moins de \\d+ ans',
    for: 'pour',
    years: 'ans?',
    fees: 'frais',
  },
  es: {
    free: 'gratis|gratuit[oa]s?|(?:entrada|acceso|ingreso) libre|entrada gratuita|sin costo|sin coste',
    given:
      '(?:contribucion|aportacion|entrada|colaboracion) voluntaria|aporte voluntario|a la gorra|taquilla inversa|precio libre|donativos?',
    from: 'desde|a partir de',
    orMore: 'o mas|y mas',
    to: 'a|hasta',
    or: 'o',
    between: 'entre',
    and: 'y',
    people: 'ninos|ninas|menores|socios|estudiantes|jubilados',
    for: 'para',
    years: 'anos?',
    fees: 'gastos|comision|cargos?',
  },
  it: {
    free: 'ingresso (?:libero|gratuito)|gratuit[aei]|entrata libera|ingresso gratis',
    given: 'offerta libera|offerta responsabile|contributo (?:libero|volontario)|up to you',
    from: 'da|a partire da',
    to: 'a',
    or: 'o',
    between: 'tra|fra',
    and: 'e',
    people: 'bambini|ragazzi|soci|studenti|under \\d+',
    for: 'per',
    years: 'anni',
    fees: 'prevendita|d\\.?p\\.?|diritti',
  },
  pt: {
    free: 'gratis|entrada (?:franca|livre|gratuita)|acesso livre|livre acesso',
    given: 'contribuicao (?:voluntaria|livre|consciente)|pague quanto (?:quiser|puder)|donativo|doacao',
    from: 'a partir de|desde',
    to: 'a|ate',
    or: 'ou',
    between: 'entre',
    and: 'e',
    people: 'criancas|socios|estudantes',
    for: 'para',
    years: 'anos?',
    fees: 'taxas?',
  },
  nl: {
    free: 'gratis|vrij(?:e toegang)?|toegang vrij',
    given: 'vrij(?:willig)?e (?:bijdrage|gift)|donatie|betaal wat je (?:wil|wilt|kan|kunt)',
    from: 'vanaf',
    to: 'tot',
    or: 'of',
    between: 'tussen',
    and: 'en',
    people: 'kinderen|leden|studenten',
    for: 'voor',
    years: 'jaar',
    fees: '\\p{L}*kosten',
  },
  nordic: {
    free: 'gratis|fri (?:entre|entree|adgang|intrade|inngang)|kostnadsfritt|okeypis|fritt inn|ilmai\\p{L}+|maksut\\p{L}+|vapaa paasy|paasy vapaa',
    given:
      'frivillig (?:entre|avgift|betaling|gave)|valfri (?:entre|avgift)|valgfri (?:pris|entre)|betal(?:a)? (?:hvad|hva|vad|det) du (?:vil|vill|kan)|frjals framlog|vapaaehtoinen (?:maksu|paasymaksu)',
    from: 'fra|fran|fran och med|alkaen|fra og med',
    orMore: 'alkaen',
    to: 'til|till',
    or: 'eller|tai',
    between: 'mellan|mellem|mellom|milli',
    and: 'och|og|ja',
    people: 'barn|born|medlemmar|medlemmer|studenter|studerende|lapset|alle \\d+-?v',
    for: 'for',
    years: 'ar|vuotta|v\\.',
    fees: 'avgifts?|gebyr|\\p{L}*maksu',
  },
  pl: {
    free: 'wstep wolny|wolny wstep|bezplatn[yaei]e?|za darmo|darmow[yae]|wejscie bezplatne',
    given: 'co laska|wolne datki|datki|dobrowoln[ay] (?:oplata|wplata|datek)',
    from: 'od',
    to: 'do',
    or: 'lub|albo',
    between: 'miedzy|pomiedzy',
    and: 'a|i',
    people: 'dzieci|czlonkowie|studenci|seniorzy',
    for: 'dla',
    years: 'lat',
    fees: 'oplat\\p{L}*|prowizj\\p{L}*',
  },
};

/** A number beside them is a price, without a sign of money: `VVK: 12 / AK: 15`. */
export const TICKET_LABELS = {
  before: 'vvk|ak|abendkasse|tageskasse|vorverkauf|eintritt|paf|adv(?:ance)?|presale',
  after: 'adv(?:ance)?|dos|presale|at the door|door|vvk|ak|abendkasse|tageskasse',
} as const;

/** Behind an amount that is no price of a ticket. */
export const OTHER_AMOUNTS =
  'off\\b|discount|rabatt|(?:food|drink|bev\\w*)\\b[^.,;|]{0,20}\\bmin|min(?:imum)?\\b(?!s| donation)|gift|voucher|prize|in prizes|value\\b|(?:for )?parking|coat|cloak|garderob|vestiaire|guarda?rr?opa|guardaroba|szatnia|narikka|pfand|deposit';

/** Prices of one's own choice between two amounts: without any, one may give nothing. */
export const SCALES =
  'sliding scale|echelle mobile|nach selbsteinschatzung|soli(?:daritats)?preis|staffelpreis\\p{L}*|glidande skala';

/** Free that is about something else. */
export const OTHER_FREE =
  'not free|(?:\\w+ free|[a-z]\\w*-free)(?<!\\bfor[- ]free|\\bis[- ]free|\\bare[- ]free|\\bentry[- ]free|\\badmission[- ]free|\\band[- ]free)|free (?:parking|drinks?|shots?|food|pizza|beer|coffee|wi-?fi|gift|t-?shirt|merch|poster|popcorn|snacks|shuttle|range|form|jazz|style|seating|seats)|drinks? free|free with (?:\\w+ )?(?:admission|purchase|ticket|entry|membership|registration fee)|(?:participation|prix|tarif|paf|donation|placement|don) libre|libre participation|precio libre|vrije (?:bijdrage|gift)|frei(?:e|er)? platzwahl';
