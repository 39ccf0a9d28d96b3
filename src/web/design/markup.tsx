/** Facts of a page for search engines: texts that `writeMarkup` made. */
export function Markup({ blocks }: { blocks: readonly string[] }) {
  return blocks.map((block) => (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: React would write quotation marks as entities, which JSON does not know; `<` is escaped.
    <script key={block} type="application/ld+json" dangerouslySetInnerHTML={{ __html: block }} />
  ));
}
