/** The reference for people: plain pages made from the OpenAPI document and the table of errors, readable without scripts. */

import { PARAMETER_FAULTS, PROBLEM_CODES, PROBLEMS } from './errors.ts';
import { type Html, html, raw } from './html.ts';
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from './openapi.ts';
import { PAGE_STYLE } from './page-style.ts';

export function writeReferencePage(document: OpenApiDocument): string {
  const base = document.servers[0]?.url ?? '';
  const operations = Object.entries(document.paths).map(([path, { get }]) => ({ path, operation: get }));
  const content = html`
    <p class="lead">${document.info.description}</p>
    <pre><code>curl -H "X-API-Key: $KEY" "${base}/events?category=concert&amp;limit=5"</code></pre>
    <p>Base address <code>${base}</code>. The same for programs: <a href="/openapi.json">openapi.json</a>. All refusals: <a href="/docs/errors">errors</a>.</p>
    <h2 id="endpoints">Endpoints</h2>
    ${operations.map((entry) => writeOperation(entry.path, entry.operation))}
    <h2 id="headers">Headers of answers</h2>
    <table><tr><th>Header</th><th>Meaning</th></tr>
    ${Object.entries(document.components.headers).map(
      ([name, { description }]) => html`<tr><td><code>${name}</code></td><td>${writeText(description)}</td></tr>`,
    )}</table>
    <h2 id="schemas">Schemas</h2>
    ${Object.entries(document.components.schemas).map(
      ([name, schema]) => html`<details id="schema-${name}"><summary><code>${name}</code></summary>
        <pre><code>${JSON.stringify(schema, null, 2)}</code></pre></details>`,
    )}`;
  const toc = operations.map(
    ({ path, operation }) => html`<li><a href="#${operation.operationId}"><code>${path}</code></a></li>`,
  );
  return writePage(document.info.title, toc, content);
}

export function writeErrorsPage(): string {
  const content = html`
    <p class="lead">Every refusal is a problem document (RFC 9457), <code>application/problem+json</code>. Its <code>code</code> is one of these.</p>
    ${PROBLEM_CODES.map((code) => {
      const { status, title, meaning, remedy } = PROBLEMS[code];
      return html`<section id="${code}"><h2><code>${code}</code> <span class="status">${status} ${title}</span></h2>
        <p>${writeText(meaning)}</p><p><strong>What to do:</strong> ${writeText(remedy)}</p></section>`;
    })}
    <h2 id="parameters">Codes of single parameters</h2>
    <table><tr><th>Code</th><th>What is wrong</th></tr>
    ${Object.entries(PARAMETER_FAULTS).map(([code, meaning]) => html`<tr><td><code>${code}</code></td><td>${writeText(meaning)}</td></tr>`)}</table>`;
  const toc = PROBLEM_CODES.map((code) => html`<li><a href="#${code}"><code>${code}</code></a></li>`);
  return writePage('Errors', toc, content);
}

function writeOperation(path: string, operation: OpenApiOperation): Html {
  return html`<section id="${operation.operationId}">
    <h3><span class="method">GET</span> <code>${path}</code></h3>
    <p>${operation.summary}. ${operation.description}</p>
    <p class="facts">Tier <strong>${operation['x-tier']}</strong> or higher · ${operation['x-metered'] ? 'metered' : 'not metered'}</p>
    ${operation.parameters.length > 0 ? writeParameters(operation.parameters) : ''}
    <p>Answers: ${Object.entries(operation.responses).map(([status, response]) => writeStatus(status, 'content' in response ? response.content : undefined))}</p>
  </section>`;
}

function writeStatus(status: string, content: Record<string, { schema: unknown }> | undefined): Html {
  const schema = content?.['application/json']?.schema as { $ref?: string; anyOf?: { $ref: string }[] } | undefined;
  const names = [schema?.$ref, ...(schema?.anyOf ?? []).map(({ $ref }) => $ref)].filter((ref) => ref !== undefined);
  const links = names.map((ref) => ref.split('/').at(-1) ?? '').map((name) => html` <a href="#schema-${name}">${name}</a>`);
  return html`<span class="answer">${status}${links}</span> `;
}

function writeParameters(parameters: OpenApiParameter[]): Html {
  return html`<table><tr><th>Parameter</th><th>In</th><th>Form</th><th>Meaning</th></tr>
  ${parameters.map(
    ({ name, in: place, schema, description }) =>
      html`<tr><td><code>${name}</code></td><td>${place}</td><td>${describeForm(schema)}</td><td>${writeText(description)}</td></tr>`,
  )}</table>`;
}

/** The schema of a parameter in a few words. */
function describeForm(schema: object): string {
  const { type, enum: words, items, format, default: fallback, minimum, maximum } = schema as Record<string, unknown>;
  const shown = fallback === undefined ? '' : `, default ${String(fallback)}`;
  if (Array.isArray(words)) return words.filter((word) => word !== '').join(' | ') + shown;
  if (type === 'array') return `comma list of ${describeForm(items as object)}`;
  const bounds = minimum === undefined ? '' : maximum === undefined ? `, from ${minimum}` : `, ${minimum} to ${maximum}`;
  return `${String(format ?? type)}${bounds}${shown}`;
}

/** Text with `code` between backquotes. */
function writeText(text: string): Html[] {
  return text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

function writePage(title: string, toc: Html[], content: Html): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Marquee</title><style>${raw(PAGE_STYLE)}</style></head>
<body><header><a class="brand" href="/docs">Marquee</a><nav><a href="/docs">Reference</a><a href="/docs/errors">Errors</a><a href="/openapi.json">OpenAPI</a></nav></header>
<div class="page"><aside><ul>${toc}</ul></aside><main><h1>${title}</h1>${content}</main></div></body></html>
`.text;
}
