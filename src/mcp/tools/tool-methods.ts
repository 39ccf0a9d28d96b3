/** `tools/list` and `tools/call` over a table of tools. */

import type { TierName } from '../../accounts/index.ts';
import type { McpCall, McpMethods, McpResult, PrintedResult } from '../protocol/dispatcher.ts';
import { McpError } from '../protocol/errors.ts';
import { type JsonObject, textOf } from '../protocol/message.ts';
import { printStructured } from './fit-answer.ts';
import { readArguments } from './read-arguments.ts';
import type { McpTool, ToolAnswer, ToolPlace } from './tool.ts';

/** Of one call; `opens` is of its caller. */
export type PlaceOf = (call: McpCall) => ToolPlace;

export function createToolMethods(tools: readonly McpTool[], placeOf: PlaceOf): McpMethods {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const listed = { tools: tools.map(describeTool) };
  const answers = createToolAnswers();

  function find(params: JsonObject): McpTool {
    const tool = byName.get(textOf(params.name));
    if (tool) return tool;
    const name = JSON.stringify(textOf(params.name).slice(0, MAX_SHOWN));
    throw new McpError('invalid_params', `no tool ${name}; the tools are ${[...byName.keys()].join(', ')}`);
  }

  function call(asked: McpCall): McpResult {
    const tool = find(asked.params);
    const place = placeOf(asked);
    if (tool.tier !== null && !place.opens(tool.tier)) return printMistakes([describeTier(tool, tool.tier, place)]);
    const given = asked.params.arguments;
    const key = `${tool.name} ${place.opens('growth')} ${JSON.stringify(given)}`;
    const held = answers.find(key, place);
    if (held) return held;
    const { values, readings, mistakes } = readArguments(tool.input, given);
    if (mistakes.length > 0) return printMistakes(mistakes);
    const answer = tool.run(values, readings, place);
    if ('mistakes' in answer) return printMistakes(answer.mistakes);
    const printed = printAnswer(answer);
    if (answer.until !== undefined) answers.keep(key, place, printed, answer.until);
    return printed;
  }

  return {
    'tools/list': { cache: LIST_CACHE, run: () => listed },
    'tools/call': { cost: (params) => byName.get(textOf(params.name))?.cost ?? 1, run: call },
  };
}

function describeTool({ name, title, description, input, output, app }: McpTool): JsonObject {
  return {
    name,
    title,
    description,
    inputSchema: input,
    outputSchema: output,
    annotations: { readOnlyHint: true },
    ...(app !== undefined && { _meta: { ui: { resourceUri: app } } }),
  };
}

function describeTier({ name }: McpTool, tier: TierName, { publicUrl }: ToolPlace): string {
  return `${name} needs an API key of the ${tier} plan (${publicUrl}/pricing); search_events works without one`;
}

function printAnswer(answer: ToolAnswer): PrintedResult {
  const content = [{ type: 'text', text: answer.text }, ...(answer.links ?? [])];
  return {
    members: `"content":${JSON.stringify(content)},"structuredContent":${printStructured(answer)},"isError":false`,
  };
}

/** What the model can act on: it calls again. */
function printMistakes(mistakes: readonly string[]): JsonObject {
  const told = mistakes.slice(0, MAX_MISTAKES);
  const more = mistakes.length - told.length;
  const lines = more > 0 ? [...told, `and ${more} more mistakes`] : told;
  return { content: [{ type: 'text', text: lines.join('\n') }], isError: true };
}

interface ToolAnswers {
  find(question: string, place: ToolPlace): PrintedResult | null;
  /** `until`: directory time, milliseconds. */
  keep(question: string, place: ToolPlace, answer: PrintedResult, until: number): void;
}

/** Answers that were given: the same question has the same answer until the directory or the hour changes it. */
function createToolAnswers(): ToolAnswers {
  let edition = -1;
  let chars = 0;
  const kept = new Map<string, { answer: PrintedResult; from: number; until: number }>();

  function forget(): void {
    kept.clear();
    chars = 0;
  }

  return {
    find(question, { snapshot, now }) {
      if (snapshot.edition !== edition) return null;
      const found = kept.get(question);
      return found && now >= found.from && now < found.until ? found.answer : null;
    },
    keep(question, { snapshot, now }, answer, until) {
      if (snapshot.edition !== edition || chars > MAX_CHARS) forget();
      edition = snapshot.edition;
      kept.set(question, { answer, from: now, until });
      chars += question.length + answer.members.length;
    },
  };
}

/** A new version of the service is the only thing that changes them. */
const LIST_CACHE = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
const MAX_SHOWN = 64;
/** Enough for one call: a model reads them all. */
const MAX_MISTAKES = 8;
/** Ten megabytes of text at most. */
const MAX_CHARS = 5_000_000;
