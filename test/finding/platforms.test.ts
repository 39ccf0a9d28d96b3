import { describe, expect, it } from 'vitest';
import { findDoors, PLATFORMS } from '../../src/finding/platforms/platforms.ts';
import { surveyPage } from '../../src/providers/survey-page.ts';
import { quoted, tableRows } from '../house/source-tree.ts';

const at = (html: string, url = 'https://reedhall.example.org/') =>
  findDoors(surveyPage({ url, body: Buffer.from(`<!doctype html><html><body>${html}</body></html>`), contentType: 'text/html' }));
const mail = 'reedhall77@group.calendar.google.com';
const GOOGLE = `https://calendar.google.com/calendar/ical/${encodeURIComponent(mail)}/public/basic.ics`;

describe('a platform is known by what a page says of it', () => {
  it.each([
    [
      'google-calendar',
      `<iframe src="https://calendar.google.com/calendar/embed?src=${encodeURIComponent(mail)}&ctz=UTC"></iframe>`,
      GOOGLE,
    ],
    [
      'google-calendar',
      `<iframe src="https://calendar.google.com/calendar/embed?src=${btoa(mail).replace(/=+$/, '')}"></iframe>`,
      GOOGLE,
    ],
    ['google-calendar', `<a href="https://calendar.google.com/calendar/u/0?cid=${btoa(mail)}">x</a>`, GOOGLE],
    ['google-calendar', `<a href="https://www.google.com/calendar/feeds/${mail.replace('@', '%40')}/public/basic">x</a>`, GOOGLE],
    ['google-calendar', `<a href="https://calendar.google.com/calendar/b/1/u/0/r/day/2031/5/9?cid=${btoa(mail)}">x</a>`, GOOGLE],
    ['google-calendar', `<script>new Calendar({ googleCalendarId: '${mail}' });</script>`, GOOGLE],
    [
      'google-calendar',
      `<script type="text/template">${btoa(`<iframe src="https://calendar.google.com/calendar/embed?src=${mail}"></iframe>`)}</script>`,
      GOOGLE,
    ],
    ['tockify', '<div data-tockify-calendar="reed.hall"></div>', 'https://tockify.com/api/feeds/ics/reed.hall'],
    ['trumba', '<script>$Trumba.addSpud({ webName: "reed-hall" });</script>', 'https://www.trumba.com/calendars/reed-hall.ics'],
    [
      'libcal',
      '<iframe src="https://reed.libcal.com/widget/events?calid=12"></iframe>',
      'https://reed.libcal.com/ical_subscribe.php?src=p&cid=12',
    ],
    [
      'luma',
      '<iframe src="https://lu.ma/embed/calendar/cal-a1B2/events"></iframe>',
      'https://api.lu.ma/ics/get?entity=calendar&id=cal-a1B2',
    ],
    ['meetup', '<a href="https://www.meetup.com/reed-readers/">Meetup</a>', 'https://www.meetup.com/reed-readers/events/ical/'],
    ['teamup', '<iframe src="https://teamup.com/ksabc12345xyz"></iframe>', 'https://ics.teamup.com/feed/ksabc12345xyz/0.ics'],
    ['legistar', '<a href="https://reedtown.legistar.com/Calendar.aspx">x</a>', 'https://webapi.legistar.com/v1/reedtown/events'],
    [
      'the-events-calendar',
      '<div class="tribe-events-view"></div>',
      'https://reedhall.example.org/wp-json/tribe/events/v1/events',
    ],
    [
      'modern-events-calendar',
      '<script src="/wp-content/plugins/modern-events-calendar-lite/a.js"></script>',
      'https://reedhall.example.org/?mec-ical-feed=1',
    ],
    [
      'squarespace',
      '<script>Static.SQUARESPACE_CONTEXT = {};</script><section class="eventlist"></section>',
      'https://reedhall.example.org/?format=json',
    ],
    [
      'localist',
      '<script src="https://events.reed.example.edu/widget/view?schools=reed&num=5"></script>',
      'https://events.reed.example.edu/api/2/events',
    ],
    [
      'civicplus',
      '<a href="/common/modules/iCalendar/iCalendar.aspx?catID=25&feed=calendar">x</a>',
      'https://reedhall.example.org/common/modules/iCalendar/iCalendar.aspx?catID=25&feed=calendar',
    ],
    [
      'jevents',
      '<a href="/index.php?option=com_jevents&task=icals.export&format=ical">x</a>',
      'https://reedhall.example.org/index.php?option=com_jevents&task=icals.export&format=ical',
    ],
    [
      'dpcalendar',
      '<a href="/index.php?option=com_dpcalendar&task=ical.download&id=7">x</a>',
      'https://reedhall.example.org/index.php?option=com_dpcalendar&task=ical.download&id=7',
    ],
    ['livewhale', '<link rel="stylesheet" href="/live/resource/css/a.css">', 'https://reedhall.example.org/live/json/events/'],
    ['songkick', '<a href="https://www.songkick.com/venues/77-reed-hall">x</a>', 'https://www.songkick.com/venues/77-reed-hall'],
    ['eventbrite', '<a href="https://www.eventbrite.de/o/reed-77">x</a>', 'https://www.eventbrite.de/o/reed-77'],
  ])('%s', (platform, html, location) => {
    const [first] = at(html).doors;
    expect(first).toMatchObject({ platform, location });
  });

  it('and a link to the front page of a platform says nothing', () => {
    const hosts = ['www.meetup.com', 'tockify.com', 'www.eventbrite.com', 'www.songkick.com', 'luma.com', 'www.legistar.com'];
    expect(at(hosts.map((host) => `<a href="https://${host}/">x</a>`).join('')).doors).toEqual([]);
  });

  it('and several calendars of one embed are several doors, without holidays', () => {
    const ids = ['a@group.calendar.google.com', 'b@group.calendar.google.com', 'en.usa#holiday@group.v.calendar.google.com'];
    const src = ids.map((id) => `src=${encodeURIComponent(id)}`).join('&');
    const { doors } = at(`<iframe src="https://calendar.google.com/calendar/embed?${src}"></iframe>`);
    expect(doors.map(({ way }) => way)).toEqual([undefined, undefined]);
  });

  it('and all are named by the page of the docs', () => {
    const [row = []] = tableRows('docs/finding-sources.md', 'found by an address or an embed');
    expect(row.flatMap(quoted).sort()).toEqual([...new Set(PLATFORMS.map(({ name }) => name))].sort());
  });
});
