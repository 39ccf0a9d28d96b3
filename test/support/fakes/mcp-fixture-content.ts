/** Contents of the fixtures: a red pixel, silence, two resources, five prompts. */

import type { JsonObject } from '../../../src/mcp/protocol/message.ts';

export const FIXTURE_IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
export const FIXTURE_AUDIO = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

export const FIXTURE_RESOURCES: readonly (JsonObject & { uri: string })[] = [
  { uri: 'test://static-text', mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  { uri: 'test://static-binary', mimeType: 'image/png', blob: FIXTURE_IMAGE },
  { uri: 'test://watched-resource', mimeType: 'text/plain', text: 'watched' },
];

interface FixturePrompt {
  name: string;
  description: string;
  arguments: readonly { name: string; required: boolean }[];
  write(given: JsonObject): readonly JsonObject[];
}

const words = (text: string): JsonObject => ({ type: 'text', text });
const needed = (...names: readonly string[]) => names.map((name) => ({ name, required: true }));

export const FIXTURE_PROMPTS: readonly FixturePrompt[] = [
  {
    name: 'test_simple_prompt',
    description: 'plain',
    arguments: [],
    write: () => [words('This is a simple prompt for testing.')],
  },
  {
    name: 'test_prompt_with_arguments',
    description: 'arguments',
    arguments: needed('arg1', 'arg2'),
    write: ({ arg1, arg2 }) => [words(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'a resource',
    arguments: needed('resourceUri'),
    write: ({ resourceUri }) => [
      { type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content.' } },
      words('Please process the embedded resource above.'),
    ],
  },
  {
    name: 'test_prompt_with_image',
    description: 'an image',
    arguments: [],
    write: () => [{ type: 'image', data: FIXTURE_IMAGE, mimeType: 'image/png' }, words('Please analyze the image above.')],
  },
  {
    name: 'test_input_required_result_prompt',
    description: 'asks back',
    arguments: [],
    write: () => [words('With context.')],
  },
];
