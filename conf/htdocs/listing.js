// Makes the path in the heading of a listing a row of links, and names the language and the main part of the page. Without this
// script the page is mod_autoindex's, whose markup is httpd's.
const main = document.createElement('main')
main.append(...document.body.childNodes)
document.body.append(main)
document.documentElement.lang = 'en'

const heading = document.querySelector('h1')
const names = location.pathname.split('/').slice(1, -1)
const links = names.slice(0, -1).flatMap((name, index) => {
  const link = document.createElement('a')
  link.href = `/${names.slice(0, index + 1).join('/')}/`
  link.textContent = decodeURIComponent(name)
  return [link, ' / ']
})
const start = document.createElement('a')
start.href = '/'
start.textContent = location.hostname
if (names.length > 0) heading.replaceChildren('Index of ', start, ' / ', ...links, decodeURIComponent(names.at(-1)))
