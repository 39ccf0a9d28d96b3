/** Prompts: what people often ask, said so that a model asks the tools well. And completion of their arguments. */

import { CATEGORIES } from '../records/index.ts';
import { NAMED_WINDOWS } from '../values/named-window.ts';
import type { McpMethods } from './protocol/dispatcher.ts';
import { McpError } from './protocol/errors.ts';
import { isObject, type JsonObject, textOf } from './protocol/message.ts';
import { cleanLine, cutText } from './text.ts';

interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: readonly { name: string; description: string; required: boolean }[];
  write(values: Readonly<Record<string, string>>): string;
}

export const PROMPTS: readonly Prompt[] = [
  {
    name: 'plan_my_evening',
    title: 'Plan my evening',
    description: 'One evening with two or three stops that fit together',
    arguments: [
      { name: 'when', description: 'tonight, tomorrow or a date', required: false },
      { name: 'taste', description: 'what you like', required: false },
      { name: 'budget', description: 'the most that a ticket may cost', required: false },
    ],
    write: ({ when = 'tonight', taste = 'anything good', budget = '' }) =>
      `Plan an evening for me: ${when}. I like: ${taste}.${budget === '' ? '' : ` A ticket may cost ${budget} at most.`}
Use search_events for the main event, and again with near and a small radius_m for something before or after it.
Propose two or three stops with local times, prices and links. Say what you could not find.`,
  },
  {
    name: 'weekend_digest',
    title: 'Weekend digest',
    description: 'The weekend in ten lines',
    arguments: [{ name: 'category', description: 'one category, or none for all', required: false }],
    write: ({ category = '' }) =>
      `Write a digest of this weekend${category === '' ? '' : ` in the category ${category}`}.
Call city_overview with when this_weekend, then search_events with when this_weekend${category === '' ? '' : ` and category ${category}`}.
Give ten lines, by day: local time, title, venue, price, link. End with what is free.`,
  },
];

const LIST_CACHE = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
const LISTED = PROMPTS.map(({ write: _, ...prompt }) => prompt);

export const PROMPT_METHODS: McpMethods = {
  'prompts/list': { cache: LIST_CACHE, run: () => ({ prompts: LISTED }) },
  'prompts/get': {
    run({ params }) {
      const prompt = PROMPTS.find(({ name }) => name === params.name);
      if (!prompt) throw unknown(params.name);
      const text = prompt.write(readValues(params.arguments));
      return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
    },
  },
  'completion/complete': {
    run: ({ params: { ref, argument } }) => {
      const { name, value } = isObject(argument) ? argument : {};
      const words = isObject(ref) && ref.type === 'ref/prompt' ? (WORDS.get(textOf(name)) ?? []) : [];
      const values = words.filter((word) => word.startsWith(textOf(value ?? '').toLowerCase()));
      return { completion: { values, total: values.length, hasMore: false } };
    },
  },
};

function unknown(name: unknown): McpError {
  const names = PROMPTS.map((prompt) => prompt.name).join(', ');
  return new McpError(
    'invalid_params',
    `no prompt ${JSON.stringify(textOf(name).slice(0, MAX_SHOWN))}; the prompts are ${names}`,
  );
}

/** Values of the user, each on one line. */
function readValues(given: unknown): Record<string, string> {
  const values = isObject(given) ? given : ({} as JsonObject);
  const entries = Object.entries(values).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, cutText(cleanLine(String(value)), MAX_VALUE_CHARS)]).filter(([, v]) => v !== ''),
  );
}

const WORDS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['category', CATEGORIES],
  ['when', NAMED_WINDOWS],
]);
const MAX_SHOWN = 64;
const MAX_VALUE_CHARS = 300;
