// How many tokens of a model the definitions of all tools take: count-mcp-tokens.mjs URL ENCODING. Fails above a limit. Most assistants give
// a model the names, descriptions and arguments alone; some give it the output schemas, too.

const MAX_TOKENS = 1_400;
const MAX_TOKENS_WITH_OUTPUTS = 2_900;
const [url, encoding] = process.argv.slice(2);
const { encode } = await import(encoding);
const answer = await fetch(`${url}/mcp`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
});
const { tools } = (await answer.json()).result;
const tokensOf = (value) => encode(JSON.stringify(value)).length;
const tokens = tokensOf(tools.map(({ outputSchema: _, ...rest }) => rest));
const whole = tokensOf(tools);
process.stdout.write(`${tools.length} tools, ${tokens} tokens (o200k_base), at most ${MAX_TOKENS}\n`);
process.stdout.write(`with output schemas ${whole} tokens, at most ${MAX_TOKENS_WITH_OUTPUTS}\n`);
process.exitCode = tools.length > 0 && tokens <= MAX_TOKENS && whole <= MAX_TOKENS_WITH_OUTPUTS ? 0 : 1;
