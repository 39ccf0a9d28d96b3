// How many tokens of a model the definitions of all tools take: count-mcp-tokens.mjs URL ENCODING. Fails above the limit.

const MAX_TOKENS = 1_400;
const [url, encoding] = process.argv.slice(2);
const { encode } = await import(encoding);
const answer = await fetch(`${url}/mcp`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
});
const { tools } = (await answer.json()).result;
const tokens = encode(JSON.stringify(tools)).length;
process.stdout.write(`${tools.length} tools, ${tokens} tokens (o200k_base), at most ${MAX_TOKENS}\n`);
process.exitCode = tools.length > 0 && tokens <= MAX_TOKENS ? 0 : 1;
