/** What the conformance runner of the protocol wants to find: tools, resources and prompts of an "everything server", behind our dispatcher. */

import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createServerMethods } from '../../../src/mcp/mcp-server.ts';
import type { McpCall, McpMethods, McpResult, McpTable } from '../../../src/mcp/protocol/dispatcher.ts';
import { McpError } from '../../../src/mcp/protocol/errors.ts';
import { isObject, type JsonObject } from '../../../src/mcp/protocol/message.ts';
import { FIXTURE_AUDIO, FIXTURE_IMAGE, FIXTURE_PROMPTS, FIXTURE_RESOURCES } from './mcp-fixture-content.ts';

const text = (words: string): JsonObject => ({ content: [{ type: 'text', text: words }] });
const embedded = (uri: string): JsonObject => ({
  type: 'resource',
  resource: { uri, mimeType: 'text/plain', text: 'Embedded.' },
});
const image = { type: 'image', data: FIXTURE_IMAGE, mimeType: 'image/png' };

/** Requests to clients of the older revisions, which answer them with a POST of their own. */
const waiting = new Map<string, (answer: JsonObject) => void>();

async function askClient(call: McpCall, method: string, params: JsonObject): Promise<JsonObject> {
  const id = randomUUID();
  const { promise, resolve } = Promise.withResolvers<JsonObject>();
  waiting.set(id, resolve);
  call.send({ jsonrpc: '2.0', id, method, params });
  const { result } = await promise;
  return isObject(result) ? result : {};
}

const elicit = async (call: McpCall, message: string, properties: JsonObject): Promise<JsonObject> => {
  const params = { mode: 'form', message, requestedSchema: { type: 'object', properties, required: [] } };
  const { action, content = {} } = await askClient(call, 'elicitation/create', params);
  return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);
};

const notify = (call: McpCall, method: string, params: JsonObject): void => call.send({ jsonrpc: '2.0', method, params });

async function inSteps(call: McpCall, step: (n: number) => void): Promise<JsonObject> {
  for (const n of [0, 1, 2]) {
    step(n);
    await delay(20, undefined, { signal: call.watch() });
  }
  return text('done');
}

const log = (call: McpCall): Promise<JsonObject> =>
  inSteps(call, (n) => {
    const isWanted = call.era === 'older' || 'io.modelcontextprotocol/logLevel' in call.meta;
    if (isWanted) notify(call, 'notifications/message', { level: 'info', data: `step ${n}` });
  });

const progress = (call: McpCall): Promise<JsonObject> =>
  inSteps(call, (n) => {
    const { progressToken } = call.meta;
    if (progressToken !== undefined) notify(call, 'notifications/progress', { progressToken, progress: n * 50, total: 100 });
  });

const question = (message: string, name: string, type = 'string'): JsonObject => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties: { [name]: { type } }, required: [name] } },
});
const sampling = (words: string): JsonObject => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: words } }], maxTokens: 100 },
});
const roots: JsonObject = { method: 'roots/list', params: {} };

const needs = (inputRequests: JsonObject, state?: string): JsonObject => ({
  resultType: 'input_required',
  inputRequests,
  ...(state !== undefined && { requestState: seal(state) }),
});

/** State is signed: a client carries it, and must not change it. */
const KEY = randomUUID();
const sign = (state: string): Buffer => createHmac('sha256', KEY).update(state).digest();
const seal = (state: string): string => `${state}.${sign(state).toString('base64url')}`;

function openState(sealed: unknown): string | null {
  if (sealed === undefined) return null;
  const [, state = '', signature = ''] = /^([^.]*)\.(.*)$/.exec(String(sealed)) ?? [];
  const given = Buffer.from(signature, 'base64url');
  const isOurs = given.length === 32 && timingSafeEqual(given, sign(state)) && seal(state) === sealed;
  if (!isOurs) throw new McpError('invalid_params', 'requestState was changed');
  return state;
}

/** The answers of the client; null where one of these is missing. */
function answersTo({ params }: McpCall, names: readonly string[]): readonly JsonObject[] | null {
  const { inputResponses } = params;
  if (!isObject(inputResponses)) return null;
  const given = names.map((name) => inputResponses[name]).filter(isObject);
  return given.length === names.length ? given : null;
}

const askOnce =
  (inputs: JsonObject, state?: string) =>
  (call: McpCall): JsonObject => {
    if (state !== undefined) openState(call.params.requestState);
    const answers = answersTo(call, Object.keys(inputs));
    return answers ? text(`state-ok ${JSON.stringify(answers)}`) : needs(inputs, state);
  };

function inRounds(call: McpCall): JsonObject {
  const state = openState(call.params.requestState);
  if (state === 'round 2' && answersTo(call, ['step2'])) return text('done');
  if (state !== null && answersTo(call, ['step1'])) return needs({ step2: question('Which color?', 'color') }, 'round 2');
  return needs({ step1: question('Which name?', 'name') }, 'round 1');
}

function byCapabilities({ capabilities }: McpCall): JsonObject {
  const offers = {
    elicitation: { name: question('Which name?', 'name') },
    sampling: { capital: sampling('Capital?') },
    roots: { roots },
  };
  const allowed = Object.entries(offers).filter(([name]) => name in capabilities);
  return needs(Object.assign({}, ...allowed.map(([, inputs]) => inputs)));
}

const DEFAULTS = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};
const titled = [
  { const: 'value1', title: 'First' },
  { const: 'value2', title: 'Second' },
  { const: 'value3', title: 'Third' },
];
const plain = ['option1', 'option2', 'option3'];
const ENUMS = {
  untitledSingle: { type: 'string', enum: plain },
  titledSingle: { type: 'string', oneOf: titled },
  legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
  untitledMulti: { type: 'array', items: { type: 'string', enum: plain } },
  titledMulti: { type: 'array', items: { anyOf: titled } },
};

function needSampling({ capabilities }: McpCall): JsonObject {
  if ('sampling' in capabilities) return text('sampling is there');
  throw new McpError('missing_capability', 'the client must declare sampling', { requiredCapabilities: { sampling: {} } });
}

const NAME = { user_name: question('What is your name?', 'name') };
const SEVERAL = { name: question('Which name?', 'name'), capital: sampling('Greet.'), client_roots: roots };
const CONFIRM = { confirm: question('Please confirm', 'ok', 'boolean') };

const TOOLS: Readonly<Record<string, (call: McpCall) => McpResult | Promise<McpResult>>> = {
  test_simple_text: () => text('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: FIXTURE_AUDIO, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({ content: [embedded('test://embedded-resource')] }),
  test_multiple_content_types: () => ({
    content: [{ type: 'text', text: 'Several:' }, image, embedded('test://mixed-content-resource')],
  }),
  test_error_handling: () => ({ ...text('This tool intentionally returns an error for testing'), isError: true }),
  test_tool_with_logging: log,
  test_logging_tool: log,
  test_tool_with_progress: progress,
  test_missing_capability: needSampling,
  test_streaming_elicitation: () => needs(NAME),
  async test_sampling(call) {
    const { prompt } = isObject(call.params.arguments) ? call.params.arguments : {};
    const { content } = await askClient(call, 'sampling/createMessage', sampling(String(prompt)).params as JsonObject);
    return text(`Response of the model: ${isObject(content) ? content.text : ''}`);
  },
  test_elicitation: (call) => elicit(call, 'Who are you?', { username: { type: 'string' }, email: { type: 'string' } }),
  test_elicitation_sep1034_defaults: (call) => elicit(call, 'Please review', DEFAULTS),
  test_elicitation_sep1330_enums: (call) => elicit(call, 'Please choose', ENUMS),
  test_input_required_result_elicitation: askOnce(NAME),
  test_input_required_result_sampling: askOnce({ capital_question: sampling('What is the capital of France?') }),
  test_input_required_result_list_roots: askOnce({ client_roots: roots }),
  test_input_required_result_request_state: askOnce(CONFIRM, 'state'),
  test_input_required_result_tampered_state: askOnce(CONFIRM, 'state'),
  test_input_required_result_multiple_inputs: askOnce(SEVERAL, 'state'),
  test_input_required_result_multi_round: inRounds,
  test_input_required_result_capabilities: byCapabilities,
};

const cache = { ttlMs: 1_000, cacheScope: 'public' } as const;

const METHODS: McpMethods = {
  ...createServerMethods({
    serverInfo: { name: 'fixtures', version: '1.0.0' },
    instructions: 'Fixtures of the conformance runner.',
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
  }),
  'tools/list': {
    cache,
    run: () => ({ tools: Object.keys(TOOLS).map((name) => ({ name, description: name, inputSchema: { type: 'object' } })) }),
  },
  'tools/call': {
    run(call) {
      const tool = TOOLS[String(call.params.name)];
      if (tool) return tool(call);
      throw new McpError('invalid_params', 'no such tool');
    },
  },
  'resources/list': {
    cache,
    run: () => ({ resources: FIXTURE_RESOURCES.map(({ uri, mimeType }) => ({ uri, name: uri, mimeType })) }),
  },
  'resources/templates/list': {
    cache,
    run: () => ({ resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }] }),
  },
  'resources/read': {
    cache,
    run({ params: { uri } }) {
      const found = FIXTURE_RESOURCES.find((each) => each.uri === uri);
      if (found) return { contents: [found] };
      const [, id] = /^test:\/\/template\/(\w+)\/data$/.exec(String(uri)) ?? [];
      if (id === undefined) throw new McpError('invalid_params', 'resource not found', { uri });
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true }) }] };
    },
  },
  'prompts/list': { cache, run: () => ({ prompts: FIXTURE_PROMPTS.map(({ write: _, ...prompt }) => prompt) }) },
  'prompts/get': {
    run(call) {
      const { name, arguments: given } = call.params;
      if (name === 'test_input_required_result_prompt' && !answersTo(call, ['user_context'])) {
        return needs({ user_context: question('Which context?', 'context') });
      }
      const prompt = FIXTURE_PROMPTS.find((each) => each.name === name);
      if (!prompt) throw new McpError('invalid_params', 'no such prompt');
      return { messages: prompt.write(isObject(given) ? given : {}).map((content) => ({ role: 'user', content })) };
    },
  },
  'completion/complete': { run: () => ({ completion: { values: ['paris', 'park'], total: 2, hasMore: false } }) },
  'logging/setLevel': { era: 'older', run: () => ({}) },
  'resources/subscribe': { era: 'older', run: () => ({}) },
  'resources/unsubscribe': { era: 'older', run: () => ({}) },
};

export const MCP_FIXTURES: McpTable = {
  methods: METHODS,
  serverInfo: { name: 'fixtures', version: '1.0.0' },
  onResponse(message) {
    const id = String(message.id);
    waiting.get(id)?.(message);
    waiting.delete(id);
  },
};
