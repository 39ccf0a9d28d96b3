/**
 * How people spell the words of street names, by language. The first word of each group is the form under which all others are compared.
 * Words are in the form of `foldWord`: small letters without marks, `ae`, `oe` and `ue` as one letter. A spelling of two languages joins
 * their groups: `st` is street, saint and Straße, and only streets of one town are compared.
 */

/** Kinds of streets: people leave them out, and write them before or after the name. */
export const STREET_KINDS: Readonly<Record<string, string>> = {
  en: `st street str streets strt
    ave avenue av aven avenu avn avnue
    rd road
    blvd boulevard boul boulv blv
    dr drive drv driv
    ln lane
    ct court crt
    pl place
    sq square sqr squ
    ter terrace terr
    pkwy parkway pky prkwy pkway
    hwy highway hiway hway hwye
    cir circle circ crcl
    aly alley ally
    trl trail
    xing crossing
    plz plaza
    path
    way wy
    walk wlk
    row
    park pk prk
    loop
    run
    expy expressway expwy
    fwy freeway frwy
    tpke turnpike tpk trnpk
    pike
    bnd bend
    cres crescent crscnt crsnt
    cv cove
    close cls
    grove grv
    gardens gdns gdn garden
    mews
    quay
    mall
    green grn
    hill
    yard yd
    wharf whf
    promenade prom
    esplanade esp
    bypass byp`,
  de: `st strasse str
    weg
    pl platz
    gasse
    allee
    ring
    damm
    ufer
    steig
    stieg
    pfad
    chaussee
    markt
    hof
    berg
    graben
    wall
    tor
    promenade
    siedlung
    winkel
    zeile`,
  fr: `rue
    ave avenue av aven
    blvd boulevard bd bld boul bvd
    pl place
    all allee allees
    ch chemin che chem
    imp impasse
    rte route
    quai
    sq square
    pas passage pass psg
    cours crs
    fg faubourg fbg fbrg
    mte montee
    esp esplanade
    prom promenade
    cite
    villa
    sentier sente sent
    ruelle rle
    venelle
    res residence
    lotissement
    hameau
    lieudit ldt
    rondpoint rpt
    voie
    parvis`,
  es: `calle cl cll
    avda avenida avd ave av
    paseo pso
    plz plaza plza
    cra carrera
    ctra carretera
    camino cno
    ronda rda
    travesia trva
    calleja
    glorieta gta
    rambla rbla
    carrer
    passeig`,
  it: `via
    vle viale
    cso corso
    pza piazza pzza
    ple piazzale
    vlo vicolo
    lgo largo
    strada
    salita
    lungomare
    lungotevere`,
  nl: `st straat str
    laan ln
    weg
    plein pln
    gracht gr
    kade kd
    singel
    steeg
    dijk
    dreef
    hof
    pad`,
  pt: `rua
    ave avenida av
    praca pca
    travessa tv
    estrada estr
    largo lgo
    alameda`,
};

/** Titles, sides and other words of names. */
export const NAME_WORDS: Readonly<Record<string, string>> = {
  en: `st saint
    mt mount mnt
    mtn mountain
    ft fort
    n north
    s south
    e east
    w west
    ne northeast
    nw northwest
    se southeast
    sw southwest
    dr doctor
    mlk martinlutherking
    jr junior
    sr senior
    msgr monsignor mgr
    gen general
    col colonel
    capt captain
    sgt sergeant
    lt lieutenant
    maj major
    cdr commander
    pres president
    gov governor
    sen senator
    rev reverend
    prof professor
    ctr center centre cntr
    hts heights
    jct junction
    brg bridge brdg
    lk lake
    riv river
    spg spring
    vly valley
    pt point
    pvt private
    mem memorial
    univ university
    natl national
    intl international`,
  de: `st sankt skt saint
    dr doktor
    prof professor
    gr grosse grosser grosses
    kl kleine kleiner kleines
    ob obere oberer oberes
    unt untere unterer unteres
    bgm burgermeister bgmstr`,
  fr: `st saint
    ste sainte
    gen general gal
    dr docteur
    pr professeur prof
    mal marechal
    pdt president pres
    col colonel
    capt capitaine cne
    cdt commandant
    lt lieutenant
    nd notredame
    gd grand
    gde grande
    pt petit
    pte petite
    vx vieux`,
  es: `sta santa
    sto santo
    dr doctor
    gral general
    nsra nuestrasenora`,
};

/** `Second`, `2nd`, `2e` are one word. The n-th word of a language is the number n. */
export const ORDINAL_WORDS: Readonly<Record<string, string>> = {
  en: `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth
    seventeenth eighteenth nineteenth twentieth`,
  de: 'erste zweite dritte vierte funfte sechste siebte achte neunte zehnte',
  fr: 'premiere deuxieme troisieme quatrieme cinquieme sixieme septieme huitieme neuvieme dixieme',
};
export const ORDINAL_ENDINGS = /^(?:st|nd|rd|th|e|er|ere|re|eme|me|º|ª|°)$/;

/** Kinds that are written as one word with the name: `Hauptstr.`, `Marktpl.`, `Dorpsstraat`. */
export const COMPOUND_ENDINGS: readonly (readonly [ending: string, short: string, onlyWithDot: boolean])[] = [
  ['strasse', 'st', false],
  ['straat', 'st', false],
  ['str', 'st', false],
  ['platz', 'pl', false],
  ['plein', 'pl', false],
  ['pl', 'pl', true],
];

/** One letter and a full stop: `r. de la Paix`, `v. Roma`, `c. Mayor`. */
export const DOTTED_KINDS: Readonly<Record<string, string>> = { r: 'rue', v: 'via', c: 'calle' };

/** Words between the kind and the name; people leave them out, too. */
export const PARTICLES: ReadonlySet<string> = new Set(
  'de du des la le les l d el los las del della delle dei di do da dos den der dem van von zu zum zur the of and et y und'.split(
    ' ',
  ),
);

/** The ends of words that are a street by themselves, such as `Wiesenweg`. */
export const COMPOUND_KINDS =
  /.(?:strasse|str|weg|platz|pl|gasse|allee|ring|damm|ufer|steig|stieg|pfad|berg|hof|markt|graben|wall|tor|straat|laan|plein|gracht|kade|steeg|dijk|dreef|pad)$/;
