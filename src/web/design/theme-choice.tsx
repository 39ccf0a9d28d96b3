import { Form, useLocation } from 'react-router';
import { useText } from './use-language.ts';
import { useRoot } from './use-root.ts';

/** Light, dark, or as the system is set: three small buttons, without scripts a form. */
export function ThemeChoice() {
  const chosen = useRoot()?.theme ?? 'auto';
  const { pathname, search } = useLocation();
  const text = useText();
  return (
    <Form method="post" action="/theme" className="theme" preventScrollReset>
      <span className="visually-hidden">{text('site.colors')}</span>
      <input type="hidden" name="next" value={pathname.replace(NOWHERE, '') + search} />
      {CHOICES.map(({ theme, label, path }) => (
        <button
          key={theme}
          type="submit"
          name="theme"
          value={theme}
          aria-pressed={chosen === theme}
          aria-label={text(label)}
          title={text(label)}
        >
          <svg viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round">
            <path d={path} />
          </svg>
        </button>
      ))}
    </Form>
  );
}

/** Where the page of a refusal is rendered (`server/answer-page.ts`): the reader was elsewhere. */
const NOWHERE = /^\/~(?=\/)/;
const CHOICES = [
  {
    theme: 'light',
    label: 'site.light',
    path: 'M8 5a3 3 0 1 0 0 6a3 3 0 1 0 0-6M8 1.5V3M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M3.4 12.6l1-1M11.6 4.4l1-1',
  },
  { theme: 'auto', label: 'site.system', path: 'M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M8 2v12M10.5 3v10M13 5.5v5' },
  { theme: 'dark', label: 'site.dark', path: 'M13.5 9.5A6 6 0 0 1 6.5 2.5A6 6 0 1 0 13.5 9.5' },
] as const;
