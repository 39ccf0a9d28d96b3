/** From a name that shouts to one that can be read: `USA WATCH PARTY AT COMMON COUNTRY BAR` is `USA Watch Party at Common Country Bar`. */

/**
 * Only a name of at least two words without a single small letter is changed (connecting words such as `w/` and `ft.` aside), and only
 * when one of its words has four letters or more: `KENREX`, `MGMT` and `DJ D` are how they are written. Abbreviations, Roman numerals
 * and words with figures stay. A softened name has small letters, so softening it again changes nothing. `hasInitials`: a single letter
 * is one (`CHARLES A DANA`).
 */
export function softenCase(text: string, locale: string, { hasInitials = false } = {}): string {
  if (!shouts(text)) return text;
  const lower = lowerFor(locale);
  const words = text.split(/(\s+)/);
  const last = words.findLastIndex((word) => /\p{L}/u.test(word));
  let isFirst = true;
  return words
    .map((word, index) => {
      if (!/\p{L}/u.test(word)) {
        if (/[-–—:|/•]$/.test(word)) isFirst = true;
        return word;
      }
      const soft = softenWord(word, { isFirst, isLast: index === last, next: words[index + 2] ?? '', hasInitials }, lower);
      isFirst = /[:.!?|/–—]["')\]]*$/.test(word) && !MINOR.has(core(word));
      return soft;
    })
    .join('');
}

function shouts(text: string): boolean {
  const words = text
    .split(/\s+/)
    .map((word) => word.replace(/[’']s(?!\p{L})/u, ''))
    .filter((word) => /\p{L}/u.test(word) && !CONNECTING.has(word.replace(/[^\p{L}\p{N}]/gu, '')));
  if (words.length < 2 || words.some((word) => /\p{Ll}/u.test(word))) return false;
  return words.some((word) => /\p{Lu}{4}/u.test(word) && !isAbbreviation(core(word)));
}

interface Position {
  isFirst: boolean;
  isLast: boolean;
  next: string;
  hasInitials: boolean;
}

function softenWord(word: string, position: Position, lower: (text: string) => string): string {
  if (/^\d+(?:ST|ND|RD|TH|S|PM|AM)\P{L}*$/u.test(word)) return lower(word);
  if (/[\p{L}][$@]|[$@][\p{L}]/u.test(word) || /(?:^|[^\p{L}])(?:\p{L}\.){2,}/u.test(word)) return word;
  if (word.startsWith('W/'))
    return `w/${word.length > 2 ? softenWord(word.slice(2), { ...position, isFirst: true }, lower) : ''}`;
  // A school or a route by its number: PS 107.
  if (SCHOOL_KINDS.has(core(word)) && /^\d/.test(position.next)) return word;
  return word.replace(/[\p{L}\p{M}\p{N}'’&]+/gu, (part, offset: number) => {
    if (/\d/.test(part) || part.includes('&')) return part;
    const inside = offset > 0 && /[\p{L}]/u.test(word.slice(0, offset));
    const opens = !inside && (position.isFirst || /[(["“]$/.test(word.slice(0, offset)));
    const closes = position.isLast && offset + part.length === word.length;
    const isMinor = MINOR.has(part) && !opens && !closes && !(position.hasInitials && part.length === 1);
    if (isMinor || ALWAYS_SMALL.has(part)) return lower(part);
    if (isAbbreviation(part)) return part;
    return capitalized(part, lower);
  });
}

/** `O'BRIEN` is `O'Brien`, `MCDONALD` `McDonald`, `DON'T` `Don't`. */
function capitalized(word: string, lower: (text: string) => string): string {
  const name = /^(MC|[DLO]['’])(\p{L}{3,}(?:['’]\p{L})?)$/u.exec(word);
  if (name) return capitalized(name[1] ?? '', lower) + capitalized(name[2] ?? '', lower);
  const [first = '', ...rest] = word;
  return first + lower(rest.join(''));
}

function isAbbreviation(word: string): boolean {
  if (ABBREVIATIONS.has(word) || /^[IVXL]{2,}$/.test(word)) return true;
  const letters = [...word].length;
  if (letters <= 2) return /^[A-Z]+$/.test(word) && !SHORT_WORDS.has(word);
  return letters <= 5 && /^[B-DF-HJ-NP-TV-XZ]+$/.test(word) && !CONSONANT_WORDS.has(word);
}

const core = (word: string): string => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');

/** Lower case as the city's language has it (Turkish has two letters i). An unknown language has the common rules. */
function lowerFor(locale: string): (text: string) => string {
  try {
    const [canonical] = Intl.getCanonicalLocales(locale);
    return (text) => text.toLocaleLowerCase(canonical);
  } catch {
    return (text) => text.toLowerCase();
  }
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Small inside a name, large at its ends. */
const MINOR = setOf(`A AN AND AS AT BUT BY FOR FROM IN INTO NOR OF ON OR OVER THE TO UPON VIA VS VERSUS WITH X
  DE DEL DES DU DI DA LE LES EL LOS LAS Y ET UND VAN VON DER DEN`);
const ALWAYS_SMALL = setOf('FT FEAT FEATURING B2B');
/** Said in small letters beside names that shout. */
const CONNECTING = setOf('w ft feat featuring vs v x b2b with and by the of at in on to a for from presents hosted pres');
/** Of two letters, and yet no abbreviations. */
const SHORT_WORDS = setOf(`A AM AN AS AT BE BY DO GO HE HI IF IN IS IT ME MR MS MY NO OF OH OK ON OR SO ST TO UP US WE YO
  JR SR DR MT FT AV LA LE EL DE DU DI DA ET UN EN NE JE TU IL ES SI MI TE SE LO AL KU LI MA HO HA AH EH UH UM AX OX ED AL JO BO`);
const CONSONANT_WORDS = setOf('MRS STR BLDG CTR BLVD DRS MTN PLGD SQ RD MSGR LTD ST NTH BRR HMM SHH PSST PL CT HWY');
const ABBREVIATIONS =
  setOf(`NYC USA UK EU UN UAE DIY EDM RSVP LGBTQ LGBTQIA LGBT BIPOC QTPOC AAPI NYPD FDNY VIP IPA UFO CEO MLB NBA NFL NHL MLS
  WNBA UFC WWE FIFA UEFA NCAA NYU MTA NYPL BPL QPL CUNY SUNY FBI CIA NASA AIDS HIV STI STEM STEAM AI TV CD LP EP PC VR AR OG MC DJ DJS MD PHD YMCA YWCA ABBA
  INXS ELO REO LCD MGMT NSYNC BTS EBM IDM UKG RNB BAM MOMA MOCA SFMOMA LACMA AMNH ASL ESL ESOL GED SAT PSAT LOL NSFW BYOB BDSM WWII JFK MLK RBG AC
  DC UB40 XTC ESG ACLU NAACP UAW SEIU IBM UPS USPS USO VFW DAR IRS DMV HRA ASPCA KAPPA LIU FIT DEP DOE ACS AMC SOB GOP OMG AKA FAQ BBQ ATX SXSW ACL UT
  NOLA NJ NY PR DR FAO ICE-T EMS ER ICU PTA PTO VA VFX SFX GIF CSA NYFA NYFOS USTA PGA LPGA F1 UCLA USC MIT UIC`);
const SCHOOL_KINDS = setOf('PS IS MS HS JHS');
