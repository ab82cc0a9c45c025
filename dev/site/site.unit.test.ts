import { expect } from 'chai';
import { findSiteFaults } from './check-site.js';
import { linkedFiles, rewriteLinks } from './links.js';
import { decisionsSidebar, sidebarOf } from './navigation.js';
import { samplePage } from './sample-page.js';
import { findSiteFiles, readSource } from './site-files.js';
import { sitePath } from './site-path.js';

const page = (text: string, file = 'docs/receiving.md') => ({ file, text });

describe('places of pages in the documentation site', () => {
  it('are different for every page and sample', () => {
    const { pages, samples } = findSiteFiles();
    const places = [...pages, ...samples].map(sitePath);
    expect(new Set(places).size).to.equal(places.length);
    expect(samples).to.include('docs/receiving/node/express.mjs');
  });

  it('are those below docs/, with the index of a folder as its first page', () => {
    expect(sitePath('docs/README.md')).to.equal('index.md');
    expect(sitePath('docs/decisions/README.md')).to.equal('decisions/index.md');
    expect(sitePath('docs/receiving/go.md')).to.equal('receiving/go.md');
    expect(sitePath('ARCHITECTURE.md')).to.equal('project/architecture.md');
    expect(sitePath('README.md')).to.equal('first-steps.md');
    expect(sitePath('docs/producers/producer.go')).to.equal('producers/producer.go.md');
  });
});

describe('links of the documentation site', () => {
  it('lead to pages and samples by their place', () => {
    const text = '[a](../README.md#try-it) [b](receiving/go.md) [c](receiving/go/main.go)';
    const expected = '[a](/first-steps.md#try-it) [b](/receiving/go.md) [c](/receiving/go/main.go.md)';
    expect(rewriteLinks(page(text))).to.equal(expected);
  });

  it('keep other hosts, headings of the page and blocks of code as they are', () => {
    const text = '[a](https://example.com) [b](#here)\n```md\n[c](../README.md)\n```\n';
    expect(rewriteLinks(page(text))).to.equal(text);
  });

  it('become paths as text where a file is no page and the repository has no address', () => {
    const text = '[settle.ts](shared/src/domain/settle.ts), [the image](Dockerfile)';
    const expected = '`shared/src/domain/settle.ts`, the image (`Dockerfile`)';
    expect(rewriteLinks(page(text, 'ARCHITECTURE.md'))).to.equal(expected);
  });

  it('lead to the repository where it has an address', () => {
    const changed = rewriteLinks(page('[a](../Dockerfile)'), 'https://git.example.com/postrider');
    expect(changed).to.equal('[a](https://git.example.com/postrider/blob/HEAD/Dockerfile)');
  });

  it('keep images beside their page', () => {
    const image = '![console](docs/console/overview.webp)';
    expect(rewriteLinks(page(image, 'README.md'))).to.equal('![console](./console/overview.webp)');
  });

  it('name the linked files from the root of the repository', () => {
    expect(linkedFiles(page('[a](receiving/go/main.go) [b](https://a.b) [c](#d)'))).to.deep.equal([
      'docs/receiving/go/main.go',
    ]);
  });
});

describe('pages of samples', () => {
  it('show the file with the language of its name', () => {
    const expected = '# main.go\n\nThe file `docs/receiving/go/main.go`.\n\n~~~~go\npackage main\n~~~~\n';
    expect(samplePage('docs/receiving/go/main.go', 'package main\n')).to.equal(expected);
  });
});

describe('navigation of the documentation site', () => {
  it('has the groups and pages of the index', () => {
    const index =
      '# Title\n\n- [Ignored](x.md)\n\n## One\n\n- [A](a.md): text\n- [B](../STYLE.md)\n\n## Empty\n';
    const items = [
      { text: 'A', link: '/a.html' },
      { text: 'B', link: '/project/style.html' },
    ];
    expect(sidebarOf(index)).to.deep.equal([{ text: 'One', items }]);
  });

  it('names every page directly below docs/', () => {
    const named = JSON.stringify(sidebarOf(readSource('docs/README.md')));
    const top = findSiteFiles().pages.filter((file) => /^docs\/[^/]+\.md$/.test(file));
    const expected = top.filter((file) => file !== 'docs/README.md').map((file) => sitePath(file));
    expect(expected.filter((path) => !named.includes(`"/${path.replace('.md', '.html')}"`))).to.deep.equal(
      [],
    );
  });

  it('has the decisions with the newest first', () => {
    const index = '| [0001](0001-a.md) | 2026-11-21 | A |\n| [0002](0002-b.md) | 2026-11-22 | `B` |\n';
    const [group] = decisionsSidebar(index);
    expect(group?.items).to.deep.equal([
      { text: 'Index', link: '/decisions/' },
      { text: '0002 B', link: '/decisions/0002-b.html' },
      { text: '0001 A', link: '/decisions/0001-a.html' },
    ]);
  });
});

describe('check of the built documentation', () => {
  const site = (body: string) =>
    new Map([
      ['/index.html', body],
      ['/a.html', '<h2 id="here"></h2>'],
      ['/decisions/index.html', ''],
    ]);

  it('accepts links to pages, folders and headings', () => {
    const links =
      '<a href="/a.html#here"></a><a class="x" href="decisions/"></a><a href="https://example.com/"></a>';
    expect(findSiteFaults(site(links))).to.deep.equal([]);
  });

  it('reports missing pages and missing headings', () => {
    const links = '<a href="/b.html"></a><a href="/a.html#there"></a>';
    expect(findSiteFaults(site(links))).to.deep.equal([
      '/index.html links to /b.html, which does not exist',
      '/index.html links to /a.html#there, which does not exist',
    ]);
  });

  it('reports what would be loaded from another host', () => {
    const body =
      '<script src="https://cdn.example.com/a.js"></script><style>@import url(https://f.example.com/a.css)</style>';
    expect(findSiteFaults(site(body))).to.deep.equal([
      '/index.html loads https://cdn.example.com/a.js from another host',
      '/index.html loads https://f.example.com/a.css from another host',
    ]);
  });
});
