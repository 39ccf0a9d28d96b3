import { useEffect, useRef, useState } from 'react';
import { useFetcher } from 'react-router';
import { CityMap } from '../design/city-map.tsx';
import { Field } from '../design/forms/field.tsx';
import { Submit } from '../design/forms/form.tsx';
import type { ShownOutcome } from '../model/desk.ts';

interface Props {
  title: string;
  /** Its listings name no place. */
  isUnnamed: boolean;
  center: { latitude: number; longitude: number } | null;
  /** Of this form, sent without scripts. */
  own: ShownOutcome | undefined;
}

/** The fields of a venue that nobody knows yet. With scripts, its pin follows the typed address. */
export function NewVenue({ title, isUnnamed, center, own }: Props) {
  const finder = useFetcher<ShownOutcome>();
  const fields = useRef<HTMLDivElement>(null);
  const asked = useRef(own?.typed.address ?? '');
  const pointThen = useRef('');
  const [isKept, setKept] = useState(false);
  const find = (): void => {
    const form = formOf(fields.current);
    if (!form) return;
    const sent = new FormData(form);
    const address = String(sent.get('address')).trim();
    // A press of the button also leaves the field.
    if (finder.state !== 'idle' && asked.current === address) return;
    asked.current = address;
    pointThen.current = String(sent.get('point'));
    sent.set('intent', 'find');
    void finder.submit(sent, { method: 'post' });
  };
  const { data } = finder;
  useEffect(() => {
    const [point, placed] = [inputOf(fields.current, 'point'), inputOf(fields.current, 'placed')];
    if (!data || !point || !placed) return;
    // A pin that was set since then stays.
    const isSetSince = point.value !== pointThen.current;
    setKept(isSetSince);
    if (isSetSince) return;
    // The map follows this event. A point that the operator has set stays if the address is unknown.
    if (data.ok || point.value === placed.value) point.value = data.ok ? data.typed.point : '';
    placed.value = data.ok ? data.typed.placed : '';
    point.dispatchEvent(new Event('change', { bubbles: true }));
  }, [data]);
  return (
    <div className="form" ref={fields}>
      {isUnnamed ? (
        <Field
          label="Name of the venue"
          name="venueName"
          maxLength={300}
          hint="For a new venue. Without it, the venue is called as the source."
          defaultValue={own?.typed.venueName}
        />
      ) : null}
      <Field
        label="Address"
        name="address"
        maxLength={300}
        defaultValue={own?.typed.address}
        onBlur={({ target }) => {
          if (target.value.trim() !== asked.current && target.value.trim() !== '') find();
        }}
      />
      <p className="small" role="status">
        {finder.state === 'idle' ? describeFound(data ?? own, isKept) : 'Looking for the address…'}
      </p>
      <input type="hidden" name="placed" defaultValue={own?.typed.placed} />
      <Field
        label="Point"
        name="point"
        maxLength={40}
        hint="Latitude and longitude, such as 40.7128,-74.006, or set a pin on the map. It wins over the address."
        defaultValue={own?.typed.point}
      />
      {center ? (
        <CityMap
          label={`Map: where ${title} is`}
          records={[]}
          isListed={false}
          picks={{ field: 'point', center, label: 'Pin of the venue. Arrow keys move it.' }}
        />
      ) : null}
      <div className="cluster">
        <Submit intent="here">New venue here</Submit>
        <button
          type="submit"
          className="button"
          name="intent"
          value="find"
          onClick={(event) => {
            event.preventDefault();
            find();
          }}
        >
          Find the address
        </button>
        <Submit intent="ignore">Ignore</Submit>
      </div>
    </div>
  );
}

const formOf = (fields: HTMLElement | null): HTMLFormElement | null => fields?.closest('form') ?? null;

function inputOf(fields: HTMLElement | null, name: string): HTMLInputElement | null {
  const input = formOf(fields)?.elements.namedItem(name);
  return input instanceof HTMLInputElement ? input : null;
}

function describeFound(outcome: ShownOutcome | undefined, isKept: boolean): string | null {
  if (!outcome) return null;
  if (!outcome.ok) return outcome.intent === 'find' ? outcome.error : null;
  const { point } = outcome.typed;
  const found = `Found: ${FOUND[outcome.precision]}`;
  return isKept ? `${found}, at ${point}. Your pin stays.` : `${found}. The pin is at ${point}.`;
}

const FOUND: Readonly<Record<string, string>> = {
  exact: 'the house itself',
  interpolated: 'between two houses of the street',
  corner: 'the corner of two streets',
  street: 'only the street',
};
