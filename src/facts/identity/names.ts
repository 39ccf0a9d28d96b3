/** Names as words that can be compared: one spelling for the many ways in which providers, cities and people write them. */

/**
 * The words of a name in one spelling: accents, case, apostrophes and dots of initials folded away (`S.O.B.'s` is `sobs`, `Baby’s`
 * is `baby`), abbreviations written one way, numerals as digits, plurals as singulars, articles and joining words left out.
 * A name of such words alone (`The The`) keeps them. Linear in the length.
 */
export function nameWords(name: string): string[] {
  const all = foldText(name)
    .split(NOT_A_WORD)
    .filter((word) => word !== '');
  // `St` is a saint at the start of a name and after `of` or `and`, else a street. An article does not end a name: `Theater A` has a letter there.
  const kept = all
    .map((word, index) => (word === 'st' && (index === 0 || JOINING.has(all[index - 1] ?? '')) ? 'saint' : word))
    .filter((word, index) => !JOINING.has(word) || (word === 'a' && index === all.length - 1));
  return (kept.length > 0 ? kept : all).map(oneSpelling);
}

/** Lower case without accents and apostrophes, `&` as a word, dotted initials joined. Other signs stay. */
export function foldText(text: string): string {
  return text
    .slice(0, MAX_CHARS)
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(UNDECOMPOSED, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .replace(APOSTROPHES, '')
    .replace(DOTTED_INITIALS, (initials) => `${initials.replaceAll('.', '')} `)
    .replace(AND_SIGNS, ' and ');
}

function oneSpelling(word: string): string {
  const known = SPELLINGS.get(word);
  if (known !== undefined) return known;
  const singular = word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
  return SPELLINGS.get(singular) ?? singular;
}

/** Longer names are cut: nobody prints them, and comparing costs the square of the length. */
const MAX_CHARS = 200;
const MARKS = /\p{M}+/gu;
/** Latin letters that Unicode does not take apart, as those write them who lack the key: `Głyk` is `Glyk`, `Mø` is `Mo`. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ı: 'i',
};
const UNDECOMPOSED = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'gu');
const APOSTROPHES = /['’‘ʼ`´′]/gu;
const DOTTED_INITIALS = /(?<![\p{L}\p{N}])(?:\p{L}\.){2,}\p{L}?(?!\p{L})/gu;
const AND_SIGNS = /[&+]/g;
const NOT_A_WORD = /[^\p{L}\p{N}]+/u;
const JOINING = new Set('a an the and of in at on by for to de la le du des del der die das und et y'.split(' '));

/** The spelling used here = the others that are met. */
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  `theater=theatre,theatr,teatro amphitheater=amphitheatre center=centre,ctr,cntr st=street,str saint=sankt,sainte av=ave,avenue,aven blvd=boulevard,boul rd=road dr=drive
   pl=place park=pk ln=lane sq=square ct=court pkwy=parkway,pkway hwy=highway tpke=turnpike terr=terrace ext=extension mt=mount ft=fort
   nside=northside sside=southside eside=eastside wside=westside n=north s=south e=east w=west playground=plgd,plgr,plygd,pgnd,playgrd garden=gdn,gdns,grdn rec=recreation,recreational bldg=building
   univ=university,uni intl=international dept=department natl=national assn=association,assoc co=company corp=corporation bro=brother
   lib=library elem=elementary hs=highschool comm=community amer=american med=medical presb=presbyterian mkt=market rr=railroad apt=apartment
   1=one 2=two,ii 3=three,iii 4=four,iv 5=five 6=six,vi 7=seven,vii 8=eight,viii 9=nine,ix 10=ten 11=eleven 12=twelve
   1st=first 2nd=second 3rd=third 4th=fourth 5th=fifth 6th=sixth 7th=seventh 8th=eighth 9th=ninth 10th=tenth 11th=eleventh 12th=twelfth
   cemetery=cemetary club=clubhouse cafe=caffe,kaffe,coffeehouse pizza=pizzeria brewery=brewing,brewpub bicycle=bike submarine=sub
   volunteer=vol grocery=grocer,groceries florist=flower,flowershop`
    .split(/\s+/)
    .flatMap((entry) => {
      const [kept = '', others = ''] = entry.split('=');
      return others.split(',').map((other) => [other, kept] as const);
    }),
);
