/**
 * What remains of an English word when its inflection is taken away: plural and possessive, -ed and -ing. Derivation stays: Porter's
 * stemmer makes one word of venue and venus, music and musical, university and universal, one and on; a directory of names cannot.
 */

/** The stem of a folded word, a key and no word (dances → danc); words with digits or other alphabets, or under three letters, are their own. */
export function stem(word: string): string {
  if (!ENGLISH.test(word) || NOT_INFLECTED.has(word)) return word;
  const regular = IRREGULAR.get(word) ?? withoutPlural(word);
  // Women's: the plural of a plural.
  const singular = IRREGULAR.get(regular) ?? regular;
  if (NOT_INFLECTED.has(singular)) return singular;
  const marked = singular.replace(CONSONANT_Y, 'Y');
  return withoutSilentEnd(withoutTense(marked)).toLowerCase();
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s') || NO_PLURAL.test(word)) return word;
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  return word.endsWith('sses') ? word.slice(0, -2) : word.slice(0, -1);
}

/** From here on a Y that sounds as a consonant is a capital. */
function withoutTense(word: string): string {
  if (word.endsWith('ied')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (word.endsWith('eed')) return HAS_SYLLABLE_BEFORE_EED.test(word) ? word.slice(0, -1) : word;
  const root = TENSE.exec(word)?.[1];
  if (root === undefined || !VOWEL.test(root)) return word;
  if (DOUBLED.test(root)) return root.slice(0, -1);
  // hoping → hope, as against hopping → hop.
  return SHORT_END.test(root) && !SYLLABLE_THEN_MORE.test(root) ? `${root}e` : root;
}

/** What -ing would have taken away is taken from the plain word too: dance → danc, movie → movy, hero(e) → hero, cancel(l) → cancel. */
function withoutSilentEnd(word: string): string {
  if (word.endsWith('ie')) return word.length > 3 ? `${word.slice(0, -2)}y` : word;
  if (word.endsWith('ll')) return SYLLABLE_THEN_VOWEL.test(word) ? word.slice(0, -1) : word;
  if (!SILENT_E.test(word) || SOUNDING_E.test(word)) return word;
  const root = word.slice(0, -1);
  return SHORT_END.test(root) && !TWO_SYLLABLES.test(root) ? word : root;
}

const ENGLISH = /^[a-z]{3,}$/;
const CONSONANT_Y = /^y|(?<=[aeiou])y/g;
const VOWEL = /[aeiouy]/;
/** Chorus, class, gas. */
const NO_PLURAL = /(?:us|ss|^.?[aeiou]s|^this)$/;
const TENSE = /^(.+)(?:ed|ing)$/;
/** agreed, but not speed. */
const HAS_SYLLABLE_BEFORE_EED = /[aeiouy][^aeiouy]+eed$/;
/** hopp(ing), not add(ing); ff, ll, ss and zz belong to the word. */
const DOUBLED = /..([bdgmnprt])\1$/;
/** The end of hop(e), us(e): after it an e is heard in the vowel, so it is part of the word. */
const SHORT_END = /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/;
const SYLLABLE_THEN_MORE = /[aeiouy][^aeiouy]./;
const SYLLABLE_THEN_VOWEL = /[aeiouy][^aeiouy]+[aeiouy]/;
const TWO_SYLLABLES = /[aeiouy][^aeiouy]+[aeiouy]+[^aeiouy]/;
const SILENT_E = /[aeiouy][^aeiouy](?:.*[^aeiy])?e$/;
/** No English verb ends so, names do: Maine, Greene, Moore, Clarke, Horne, Anne, Belle, olde. */
const SOUNDING_E = /(?:(?:ai|au|ea|ee|oi|oo|ou)[dklmnp]|(?:ai|oi|oo)r|([bdfgklmnprt])\1|[lnrw][dkmnp])e$/;

/** They look like plurals, and have one. */
const SINGULARS_IN_S = ['alias', 'atlas', 'bias', 'canvas', 'christmas', 'iris', 'lens', 'metropolis', 'trellis'];

/** Inflections that no rule finds. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...Object.fromEntries(SINGULARS_IN_S.map((word) => [`${word}es`, word])),
    men: 'man',
    women: 'woman',
    children: 'child',
    feet: 'foot',
    teeth: 'tooth',
    mice: 'mouse',
    geese: 'goose',
    wives: 'wife',
    knives: 'knife',
    halves: 'half',
    wolves: 'wolf',
    shelves: 'shelf',
    loaves: 'loaf',
    scarves: 'scarf',
    elves: 'elf',
    thieves: 'thief',
    leaves: 'leaf',
    calves: 'calf',
    hooves: 'hoof',
    oxen: 'ox',
    buses: 'bus',
    gases: 'gas',
    pluses: 'plus',
    quizzes: 'quiz',
    quizzing: 'quiz',
    menus: 'menu',
    gurus: 'guru',
    picnicked: 'picnic',
    picnicking: 'picnic',
    freed: 'free',
    dyed: 'dye',
    dying: 'die',
    lying: 'lie',
    tying: 'tie',
  }),
);
/** What only looks inflected, and means something else without its ending. */
const NOT_INFLECTED: ReadonlySet<string> = new Set([
  ...SINGULARS_IN_S,
  'blues',
  'canning',
  'earring',
  'evening',
  'herring',
  'inning',
  'mrs',
  'news',
  'outing',
  'sterling',
  'wedding',
  'wicked',
]);
