/** Asks the mail server whether it would take our e-mails, and sends none. */

import addressparser from 'nodemailer/lib/addressparser';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import SMTPConnection from 'nodemailer/lib/smtp-connection';

/** Null: it answers, lets us in and takes this sender. A text says what is wrong, without a password. */
export async function checkMailServer(url: string, from: string): Promise<string | null> {
  const { auth, ...server } = parseConnectionUrl(url);
  const connection = new SMTPConnection({ ...server, ...PATIENCE, customAuth: { [SENDER_CHECK]: askForSender(senderOf(from)) } });
  try {
    await settle(connection, (done) => connection.connect(done));
    const { user, pass } = auth ?? {};
    if (user) await settle(connection, (done) => connection.login({ user, credentials: { user, pass } }, done));
    await settle(connection, (done) => connection.login({ method: SENDER_CHECK }, done));
    return null;
  } catch (error) {
    return (error as Error).message.split('\n')[0] ?? '';
  } finally {
    connection.quit();
    connection.close();
  }
}

/** The library lets us say words of our own only in the place of a sign-in. */
const askForSender =
  (sender: string) =>
  async ({ sendCommand, resolve, reject }: SMTPConnection.CustomAuthenticationContext): Promise<void> => {
    const { status } = await sendCommand(`MAIL FROM:<${sender}>`);
    // The library adds the answer.
    if (status < 200 || status >= 300) return reject(new Error(`it does not take the sender ${sender}`));
    await sendCommand('RSET');
    resolve();
  };

/** Errors before the answer come as events. */
function settle(connection: SMTPConnection, ask: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.once('error', reject);
    ask((error) => (error ? reject(error) : resolve()));
  });
}

function senderOf(from: string): string {
  const [first] = addressparser(from);
  return (first && 'address' in first && first.address) || from;
}

const SENDER_CHECK = 'MARQUEE-SENDER';
const PATIENCE = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 5_000 } as const;
