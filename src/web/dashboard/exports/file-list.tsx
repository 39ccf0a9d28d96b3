import { DataTable } from '../../design/table.tsx';
import { formatBytes, formatRows } from './export-state.tsx';

interface ShownFile {
  name: string;
  rows: number | null;
  bytes: number | null;
  /** Good for ten minutes. */
  url: string;
}

/** The files of a finished export, to download. */
export function FileList({ files }: { files: readonly ShownFile[] }) {
  if (files.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="files">
      <h2 id="files">Files</h2>
      <DataTable
        stacks
        caption="Files of this export"
        head={['File', { text: 'Rows', number: true }, { text: 'Size', number: true }, 'Download']}
      >
        {files.map(({ name, rows, bytes, url }) => (
          <tr key={name}>
            <td>
              <code>{name}</code>
            </td>
            <td className="number">{formatRows(rows)}</td>
            <td className="number">{formatBytes(bytes)}</td>
            <td>
              <a href={url} download={name}>
                Download<span className="visually-hidden"> {name}</span>
              </a>
            </td>
          </tr>
        ))}
      </DataTable>
      <p className="quiet small">These links work for ten minutes. Reload the page to get new links.</p>
    </section>
  );
}
