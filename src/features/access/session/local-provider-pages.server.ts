import { escapeHtml, renderPage } from '../../../platform/server/plain-page.ts'
import { startSignIn } from './contract.ts'
import { SAMPLE_ACCOUNTS } from './local-accounts.server.ts'

const NOTE = `<p class="note">This sign-in page is for trying Homeroom on this computer only. It accepts any email address and asks for no password. Set OIDC_ISSUER to use your organization’s sign-in.</p>`

/** The form of the local provider: any address, and buttons for the sample accounts. `invalidAddress` is shown again with an error. */
export const renderSignInPage = (action: string, invalidAddress?: string): string =>
  renderPage(
    invalidAddress === undefined ? 'Local sign-in' : 'Error: local sign-in',
    `<h1>Local sign-in</h1>
<p class="lead">Used in place of your organization’s work accounts.</p>
<form method="post" action="${escapeHtml(action)}">
${invalidAddress === undefined ? '' : '<p class="alert" role="alert" id="invalidAddress">Please provide a valid email address</p>'}
<label for="login">Work email</label>
<input id="login" name="login" type="email" required autofocus autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" value="${escapeHtml(invalidAddress ?? '')}" aria-describedby="${invalidAddress === undefined ? 'hint' : 'invalidAddress hint'}"${invalidAddress === undefined ? '' : ' aria-invalid="true"'}>
<p class="hint" id="hint">Any email address works. levelN@sample.test signs in at level N, 1 to 10. To set up your own network, choose super@sample.test.</p>
<button class="filled" type="submit">Sign in</button>
<h2>Sample accounts</h2>
<ul>
${SAMPLE_ACCOUNTS.map(
  ({ address, level, may }) =>
    `<li><button class="account" name="as" value="${address}" formnovalidate>${address} <span>${may}, level ${level}</span></button></li>`,
).join('\n')}
</ul>
</form>
${NOTE}`,
  )

/** What went wrong at the local provider, and a link to start again. */
export const renderErrorPage = (detail: string): string =>
  renderPage(
    'Sign-in ended',
    `<h1>This sign-in has ended</h1>
<p class="lead">${escapeHtml(detail)}</p>
<a class="button filled" href="${startSignIn.path}">Sign in again</a>`,
  )
