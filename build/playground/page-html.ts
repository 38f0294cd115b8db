/** What the page contains. */
export interface PageParts {
  /** A content security policy. */
  readonly policy: string
  readonly style: string
  /** A module. */
  readonly script: string
  /** JSON, without the sign `<`. */
  readonly examples: string
  /** base64 of the compressed script of the worker. */
  readonly engine: string
  /** HTML. */
  readonly licences: string
}

/** The page, complete. */
export function pageHtml({ policy, style, script, examples, engine, licences }: PageParts): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Playground – Gatewright</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<header class="top">
<p class="name">Gatewright <span>playground</span></p>
<label class="examples">Example
<select id="examples"></select></label>
<button type="button" id="share" title="The link contains the files and the request, also passwords.">Copy link</button>
</header>
<main>
<h1>What does this configuration answer?</h1>
<p class="lead">Paste an httpd configuration or .htaccess files and a request. The server's own code decides in this page; nothing leaves it.</p>
<div class="columns">
<div class="given">
<section aria-labelledby="files-title">
<h2 id="files-title">Files</h2>
<div id="tabs" class="tabs" role="group" aria-label="Files"></div>
<div class="path"><label for="path">Path</label><input id="path" spellcheck="false" autocomplete="off"><button type="button" id="remove" class="quiet">Remove</button></div>
<div class="editor"><pre id="gutter" aria-hidden="true"></pre><textarea id="text" spellcheck="false" autocomplete="off" autocapitalize="off" wrap="off" aria-label="Text of the file" aria-describedby="path"></textarea></div>
<p id="role" class="note"></p>
</section>
<section aria-labelledby="request-title">
<h2 id="request-title">Request</h2>
<div class="request">
<label class="method">Method<input id="method" list="methods" spellcheck="false" autocomplete="off"></label>
<datalist id="methods"><option value="GET"><option value="HEAD"><option value="POST"><option value="PUT"><option value="DELETE"><option value="OPTIONS"><option value="PROPFIND"></datalist>
<label class="url">URL<input id="url" spellcheck="false" autocomplete="off" inputmode="url"></label>
<label>Client address<input id="client" spellcheck="false" autocomplete="off"></label>
<label>User<input id="user" spellcheck="false" autocomplete="off" placeholder="nobody"></label>
<label>Password<input id="password" spellcheck="false" autocomplete="off" placeholder="the right one"></label>
<label class="fields">Header fields<textarea id="fields" rows="2" spellcheck="false" placeholder="Name: value" wrap="off"></textarea></label>
</div>
</section>
</div>
<div class="results">
<section aria-labelledby="answer-title" aria-live="polite" aria-busy="true" id="answer">
<h2 id="answer-title">Answer</h2>
<div id="verdict"><p class="note">The engine is being loaded.</p></div>
</section>
<section aria-labelledby="explanation-title" id="explanation" hidden>
<h2 id="explanation-title">Explanation</h2>
<pre id="tree" tabindex="0" aria-labelledby="explanation-title"></pre>
<details><summary>As JSON</summary><pre id="json" tabindex="0" aria-label="The explanation as JSON"></pre></details>
</section>
<section aria-labelledby="findings-title" id="findings" hidden>
<h2 id="findings-title">Findings</h2>
<div id="found"></div>
</section>
<section aria-labelledby="migration-title" id="migration" hidden>
<h2 id="migration-title">In the words of 2.4</h2>
<div id="migrated"></div>
</section>
</div>
</div>
</main>
<footer><p id="timing"></p><p>Directories, databases and programs are not asked, names are known from a file /etc/hosts only, and every file in the list exists while others do not. This page opens no connection: its policy forbids it.</p>
<details><summary>Licences of the libraries in it</summary><pre>${licences}</pre></details></footer>
<script type="application/json" id="example-data">${examples}</script>
<script type="application/octet-stream" id="engine">${engine}</script>
<script type="module">${script}</script>
</body>
</html>
`
}
