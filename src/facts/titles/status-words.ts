/**
 * What people write in titles and status fields about whether an event takes place: one table a language. Phrases are separated by
 * commas, single words by blanks. Accents and capitals do not matter. `…` stands for small words, a reason or a day in between.
 */

import type { EventStatus } from '../../records/index.ts';

type MarkedStatus = Exclude<EventStatus, 'scheduled'>;

export interface StatusLanguage {
  marks: Readonly<Record<MarkedStatus, string>>;
  /** A mark only with a day behind it: `moved to 6/27`, but not `moved to Willow Hall`. */
  movedWithDay: string;
  /** Sold out only in capitals: in lowercase the word says that a cycle or a course is complete. */
  soldOutInCapitals?: string;
  /** What is cancelled or sold out: words of a sentence. */
  subjects: string;
  /** Articles, auxiliary verbs, regrets: they may stand around a mark and say nothing more. */
  smallWords: string;
  /** Words before a mark, or its first one, that report what happened: `has been`, `wurde`, `fällt`. */
  newsWords: string;
  /** Phrases that begin a reason. */
  reasons: string;
  /** Words that end a reason, in Finnish. */
  reasonEnds?: string;
  /** Words before the new day, before the old day, and words that stand for a day. */
  toDay: string;
  fromDay: string;
  laterWords: string;
  /** Beside a mark they say the opposite, or something else: `almost sold out`, `new date added`. */
  denials: string;
}

export const STATUS_LANGUAGES: Readonly<Record<string, StatusLanguage>> = {
  en: {
    marks: {
      cancelled:
        'cancelled, canceled, cancellation, cancelation, cxl, cxld, canx, called off, rained out, rain out, snowed out, not happening, no longer happening, not taking place, no longer taking place, will not take place',
      postponed:
        'postponed, postponement, ppd, to be rescheduled, will be rescheduled, being rescheduled, new date tba, new date tbd, new date tbc, new date to be announced, new date to be confirmed, new date to be determined, new date to follow, new date to come, new date coming soon, new date soon',
      rescheduled:
        'rescheduled, re scheduled, new date, date change, date changed, change of date, changed date, rescheduled date',
      sold_out:
        'sold out, soldout, fully booked, booked out, fully subscribed, at capacity, capacity reached, no tickets left, no more tickets, no tickets available, all tickets sold, registration full, event full, class full, house full, waitlist only, wait list only, waiting list only',
    },
    movedWithDay: 'moved, changed, delayed',
    subjects:
      'event events show shows concert concerts gig performance performances class classes screening workshop meeting session program programme game match talk lecture date matinee reading tickets ticket',
    smallWords:
      'this the these tonight today s has have had been is was are were will be must now unfortunately sadly sorry regrettably we regret to currently officially indefinitely temporarily completely all both and or please note notice update alert important attention warning',
    newsWords: 'been',
    reasons:
      'due, because, owing to, on account of, following, as a result of, by the, by artist, by promoter, by organizer, by organiser, by venue',
    toDay: 'to, until, till, til, for, on',
    fromDay: 'from, originally',
    laterWords:
      'later next further notice new tba tbd tbc fall spring summer autumn winter year season week month soon future tomorrow tonight today',
    denials: 'not never almost nearly near selling isn t un added additional extra second more non',
  },
  de: {
    marks: {
      cancelled:
        'abgesagt, absage, entfällt, entfaellt, entfallen, fällt … aus, faellt … aus, fallen … aus, ausgefallen, ausfall, muss … ausfallen, müssen … ausfallen, findet … nicht … statt, finden … nicht … statt, kann … nicht … stattfinden, gecancelt, gecancelled, storniert',
      postponed:
        'verschoben, vertagt, terminverschiebung, neuer termin folgt, ersatztermin folgt, nachholtermin folgt, neuer termin wird … bekannt gegeben, neuer termin wird … bekanntgegeben, neuer termin wird … gesucht, neuer termin noch offen, neuer termin in kürze',
      rescheduled:
        'neuer termin, neues datum, ersatztermin, nachholtermin, terminänderung, terminaenderung, geänderter termin, geändertes datum',
      sold_out:
        'ausverkauft, ausgebucht, vergriffen, voll belegt, keine karten mehr, keine tickets mehr, keine plätze mehr, nur noch warteliste',
    },
    movedWithDay: 'verlegt, nachgeholt',
    subjects:
      'veranstaltung veranstaltungen konzert konzerte vorstellung show termin abend aufführung lesung kurs event führung workshop party vortrag gig spiel probe premiere karten tickets',
    smallWords:
      'die der das den dem dieses diese dieser heute heutige heutiges morgen am ist sind wird wurde wurden werden worden muss musste sein leider bedauerlicherweise krankheitsbedingt wetterbedingt witterungsbedingt coronabedingt pandemiebedingt gesundheitsbedingt kurzfristig ersatzlos bereits schon restlos komplett total völlig wieder nun jetzt erneut mehr achtung hinweis info wichtig update und oder alle',
    newsWords: 'wurde wurden worden muss müssen musste fällt faellt fallen entfällt entfaellt findet finden kann',
    reasons: 'wegen, aufgrund, auf grund, infolge, aus',
    toDay: 'auf, bis, zum',
    fromDay: 'vom, von, für',
    laterWords:
      'weiteres unbestimmte unbestimmt zeit später nächstes nächsten frühjahr sommer herbst winter jahr woche monat neuen neuer',
    denials: 'nicht kein keine fast nahezu beinahe bald noch zusätzlich zusätzlicher weiterer weiteres',
  },
  fr: {
    marks: {
      cancelled:
        'annulé, annulée, annulés, annulées, annulation, déprogrammé, déprogrammée, déprogrammés, n aura pas lieu, n auront pas lieu, n a pas lieu, n ont pas lieu, ne se tiendra pas, n aura … pas lieu',
      postponed:
        'reporté, reportée, reportés, reportées, repoussé, repoussée, repoussés, repoussées, nouvelle date à venir, nouvelle date à confirmer, nouvelle date à définir, nouvelle date bientôt, nouvelle date prochainement',
      rescheduled:
        'nouvelle date, changement de date, reprogrammé, reprogrammée, reprogrammés, reprogrammées, date modifiée, date de report',
      sold_out:
        'complet, complète, complets, complètes, épuisé, épuisée, épuisés, épuisées, guichets fermés, à guichets fermés, à guichet fermé, plus de places, plus de places disponibles, plus de billets, jauge atteinte',
    },
    movedWithDay: 'déplacé, déplacée, décalé, décalée',
    subjects:
      'événement événements concert concerts spectacle spectacles soirée séance représentation atelier date match projection conférence visite stage cours festival billets places billetterie',
    smallWords:
      'l le la les ce cet cette ces est sont a ont été être doit doivent sera seront malheureusement hélas d aujourd hui soir désormais nous regrettons exceptionnellement finalement info attention important et ou du de des',
    newsWords: 'été',
    reasons:
      'en raison, à cause, pour cause, suite à, suite au, suite aux, pour raison, pour raisons, pour des raisons, faute de, du fait',
    toDay: 'au, à, jusqu, pour le, pour',
    fromDay: 'du, initialement, de',
    laterWords: 'ultérieure ultérieurement prochain prochaine automne printemps hiver année saison nouvel ordre',
    denials: 'presque pas bientôt quasi quasiment non supplémentaire supplémentaires',
  },
  es: {
    marks: {
      cancelled:
        'cancelado, cancelada, cancelados, canceladas, suspendido, suspendida, suspendidos, suspendidas, anulado, anulada, anulados, anuladas, cancelación, no se realizará, no se celebrará, no tendrá lugar, se cancela, se suspende',
      postponed:
        'aplazado, aplazada, aplazados, aplazadas, pospuesto, pospuesta, pospuestos, pospuestas, postergado, postergada, postergados, postergadas, aplazamiento, se aplaza, se pospone, nueva fecha por anunciar, nueva fecha por confirmar, nueva fecha próximamente',
      rescheduled: 'nueva fecha, reprogramado, reprogramada, reprogramados, reprogramadas, cambio de fecha, se reprograma',
      sold_out:
        'agotado, agotada, agotados, agotadas, sin entradas, aforo completo, plazas completas, todo vendido, lleno total, cupo lleno, cupo completo',
    },
    movedWithDay: 'trasladado, trasladada, movido, movida, se traslada',
    soldOutInCapitals: 'completo, completa',
    subjects:
      'evento concierto función show espectáculo presentación obra recital entradas localidades boletos tickets cupos plazas taller fiesta sesión partido actividad',
    smallWords:
      'el la los las este esta estos es está están ha han sido fue fueron queda quedan quedó será lamentablemente desgraciadamente hoy atención aviso importante y o del de temporalmente totalmente todo',
    newsWords: 'sido queda quedan quedó fue',
    reasons: 'por, debido, a causa, con motivo',
    toDay: 'al, a, para, hasta',
    fromDay: 'del, desde',
    laterWords: 'nuevo nueva aviso próximo próxima primavera verano otoño invierno año semana mes después',
    denials: 'casi no adicional extra',
  },
  it: {
    marks: {
      cancelled:
        'annullato, annullata, annullati, annullate, cancellato, cancellata, cancellati, cancellate, sospeso, sospesa, sospesi, sospese, annullamento, non si terrà, non avrà luogo',
      postponed:
        'rinviato, rinviata, rinviati, rinviate, posticipato, posticipata, posticipati, posticipate, rimandato, rimandata, rimandati, rimandate, rinvio, nuova data da definire, nuova data in arrivo, nuova data da destinarsi',
      rescheduled: 'nuova data, cambio data, cambio di data, riprogrammato, riprogrammata, riprogrammati, data spostata',
      sold_out: 'esaurito, esaurita, esauriti, esaurite, tutto esaurito, al completo, posti terminati',
    },
    movedWithDay: 'spostato, spostata, spostati',
    soldOutInCapitals: 'completo',
    subjects: 'evento concerto spettacolo serata replica biglietti posti data recita proiezione incontro laboratorio festa tutto',
    smallWords:
      'l il lo la i gli le questo questa quest è sono stato stata stati state viene verrà purtroppo oggi stasera avviso attenzione e o del della dello',
    newsWords: 'stato stata stati state',
    reasons: 'a causa, causa, per, a seguito',
    toDay: 'al, alla, all, a, fino',
    fromDay: 'dal, del',
    laterWords: 'destinarsi definirsi destinare prossimo prossima primavera estate autunno inverno anno',
    denials: 'quasi non aggiuntiva extra',
  },
  pt: {
    marks: {
      cancelled:
        'cancelado, cancelada, cancelados, canceladas, suspenso, suspensa, cancelamento, não se realiza, não se realizará, não vai acontecer, não acontecerá, anulado, anulada',
      postponed: 'adiado, adiada, adiados, adiadas, adiamento, nova data a anunciar, nova data em breve, nova data a definir',
      rescheduled:
        'nova data, reagendado, reagendada, reagendados, reagendadas, remarcado, remarcada, remarcados, remarcadas, mudança de data, alteração de data',
      sold_out: 'esgotado, esgotada, esgotados, esgotadas, lotado, lotada, lotados, lotadas',
    },
    movedWithDay: 'transferido, transferida',
    soldOutInCapitals: 'completo',
    subjects:
      'evento concerto show espetáculo espectáculo sessão lotação ingressos bilhetes vagas entradas apresentação festa peça',
    smallWords:
      'o a os as este esta foi foram está estão é infelizmente hoje fica ficou será sido totalmente aviso atenção e ou do da de',
    newsWords: 'foi foram sido ficou',
    reasons: 'por, devido, em virtude',
    toDay: 'para, até',
    fromDay: 'de, do',
    laterWords: 'breve definir anunciar próximo próxima nova',
    denials: 'quase não extra',
  },
  nl: {
    marks: {
      cancelled:
        'geannuleerd, afgelast, afgezegd, gecanceld, annulering, vervalt, vervallen, komt te vervallen, gaat … niet … door, gaan … niet … door, vindt … niet … plaats',
      postponed: 'uitgesteld, opgeschort, nieuwe datum volgt, nieuwe datum nog onbekend, nieuwe datum nog niet bekend',
      rescheduled: 'nieuwe datum, datum gewijzigd, gewijzigde datum, datumwijziging, inhaaldatum',
      sold_out: 'uitverkocht, volgeboekt, vol geboekt, volzet, geen kaarten meer, geen tickets meer, geen plaatsen meer',
    },
    movedWithDay: 'verplaatst, verzet, verschoven',
    subjects: 'evenement concert voorstelling show optreden event avond cursus workshop tickets kaarten lezing activiteit',
    smallWords:
      'de het dit deze is zijn wordt werd worden geworden helaas vandaag vanavond moet volledig geheel opnieuw let op en of te',
    newsWords: 'werd wordt geworden',
    reasons: 'wegens, vanwege, door, ten gevolge',
    toDay: 'naar, tot',
    fromDay: 'van, vanaf',
    laterWords: 'nader later volgend najaar voorjaar zomer winter jaar onbepaalde tijd',
    denials: 'bijna niet haast extra nog',
  },
  sv: {
    marks: {
      cancelled: 'inställt, inställd, inställda, avlyst, ställs in',
      postponed:
        'uppskjutet, uppskjuten, uppskjutna, framflyttad, framflyttat, framflyttade, skjuts upp, skjuts fram, flyttas fram, nytt datum kommer, nytt datum meddelas',
      rescheduled: 'nytt datum, ändrat datum, datumändring, ersättningsdatum',
      sold_out:
        'slutsålt, slutsåld, slutsålda, utsålt, utsåld, utsålda, fullbokat, fullbokad, fullbokade, fulltecknat, fulltecknad',
    },
    movedWithDay: 'flyttad, flyttat, flyttas, flyttade',
    subjects:
      'evenemang evenemanget konsert konserten föreställning föreställningen show showen biljetter biljetterna kväll kvällen kurs kursen',
    smallWords: 'är har blivit blir tyvärr idag i dag ikväll kväll denna detta den det dagens kvällens och obs helt måste',
    newsWords: 'blivit',
    reasons: 'på grund av, pga, p g a, med anledning',
    toDay: 'till, tills',
    fromDay: 'från',
    laterWords: 'vidare senare nästa hösten våren sommaren vintern år obestämd',
    denials: 'nästan inte ej snart extra',
  },
  da: {
    marks: {
      cancelled: 'aflyst, aflyste, aflysning, afholdes ikke',
      postponed: 'udskudt, udskudte, udsat, ny dato følger, ny dato på vej',
      rescheduled: 'ny dato, ændret dato, datoændring, erstatningsdato',
      sold_out: 'udsolgt, udsolgte, fuldt booket, alt udsolgt',
    },
    movedWithDay: 'flyttet, rykket',
    subjects: 'arrangement arrangementet koncert koncerten forestilling forestillingen show showet billetter aften',
    smallWords: 'er blevet bliver desværre i dag idag aften denne dette den det og obs helt alt',
    newsWords: 'blevet',
    reasons: 'på grund af, pga, p g a, grundet',
    toDay: 'til, indtil',
    fromDay: 'fra',
    laterWords: 'videre senere næste efteråret foråret sommer vinter ubestemt',
    denials: 'næsten ikke ej snart ekstra',
  },
  nb: {
    marks: {
      cancelled: 'avlyst, avlyste, avlysning, innstilt, kansellert',
      postponed: 'utsatt, utsatte, ny dato kommer, ny dato følger',
      rescheduled: 'ny dato, endret dato, datoendring',
      sold_out: 'utsolgt, utsolgte, fulltegnet, fullbooket',
    },
    movedWithDay: 'flyttet',
    subjects: 'arrangement arrangementet konsert konserten forestilling forestillingen show showet billetter kveld',
    smallWords: 'er har blitt blir dessverre i dag idag ikveld kveld denne dette den det og obs helt alt',
    newsWords: 'blitt',
    reasons: 'på grunn av, pga, p g a, grunnet',
    toDay: 'til, inntil',
    fromDay: 'fra',
    laterWords: 'videre senere neste høsten våren sommer vinter ubestemt',
    denials: 'nesten ikke ei snart ekstra',
  },
  fi: {
    marks: {
      cancelled: 'peruttu, peruutettu, peruuntunut, peruuntuu, peruutetaan, perutaan, ei järjestetä, ei toteudu',
      postponed:
        'siirretty, siirtynyt, siirtyy, siirretään, lykätty, lykkääntyy, uusi päivä ilmoitetaan, uusi ajankohta ilmoitetaan',
      rescheduled: 'uusi päivä, uusi päivämäärä, uusi ajankohta, muuttunut päivä',
      sold_out: 'loppuunmyyty, loppuun myyty, loppuunmyydyt, täyteen varattu, täynnä',
    },
    movedWithDay: '',
    subjects: 'tapahtuma konsertti esitys keikka näytös liput kurssi ilta',
    smallWords: 'on ovat valitettavasti tämä tänään ikävä kyllä ja toistaiseksi huom',
    newsWords: '',
    reasons: 'koska',
    reasonEnds: 'vuoksi takia johdosta',
    toDay: 'päivään, ajalle',
    fromDay: 'päivältä',
    laterWords: 'myöhempään ensi',
    denials: 'lähes melkein ei',
  },
  is: {
    marks: {
      cancelled: 'aflýst, aflýstur, aflýstir, fellur … niður, falla … niður',
      postponed: 'frestað, frestun, ný dagsetning auglýst síðar',
      rescheduled: 'ný dagsetning, ný tímasetning, breytt dagsetning',
      sold_out: 'uppselt, uppseldir, fullbókað',
    },
    movedWithDay: 'fært, færð, færðir, flutt',
    subjects: 'viðburður viðburði viðburðinum tónleikar tónleikum tónleikunum sýning sýningu sýningunni miðar',
    smallWords: 'er hefur hafa verið því miður í dag kvöld þessum þessi og',
    newsWords: 'verið',
    reasons: 'vegna',
    toDay: 'til, um',
    fromDay: 'frá',
    laterWords: 'óákveðinn tíma síðar haust vor næsta',
    denials: 'næstum ekki nær',
  },
  pl: {
    marks: {
      cancelled:
        'odwołany, odwołana, odwołane, odwołani, odwołano, anulowany, anulowana, anulowane, nie odbędzie się, nie odbędą się',
      postponed:
        'przełożony, przełożona, przełożone, przełożono, przesunięty, przesunięta, przesunięte, nowy termin wkrótce, nowa data wkrótce',
      rescheduled: 'nowy termin, nowa data, zmiana terminu, zmiana daty',
      sold_out: 'wyprzedany, wyprzedana, wyprzedane, wyprzedano, brak biletów, brak miejsc',
    },
    movedWithDay: 'przeniesiony, przeniesiona, przeniesione',
    soldOutInCapitals: 'komplet',
    subjects: 'wydarzenie koncert spektakl pokaz impreza bilety seans warsztaty wykład mecz spotkanie',
    smallWords: 'jest są został została zostało zostały niestety dzisiaj dziś dzisiejszy ten ta to te i uwaga',
    newsWords: 'został została zostało zostały',
    reasons: 'z powodu, ze względu, z przyczyn',
    toDay: 'na, do',
    fromDay: 'z, ze',
    laterWords: 'odwołania inny późniejszy wiosnę jesień lato zimę',
    denials: 'prawie nie dodatkowy dodatkowa',
  },
};

/** Words that mean a status only in a field for it, written together. */
export const STATUS_FIELD_WORDS: Readonly<Record<MarkedStatus, string>> = {
  cancelled: 'cancel unavailable',
  postponed: 'temporarilyunavailable suspended',
  rescheduled: 'moved',
  sold_out: 'full complet completo completa voll vol fullt fuldt komplet lleno aguichetsfermes',
};
