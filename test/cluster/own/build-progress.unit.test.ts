import { expect } from 'chai';
import { createGoOutput } from './build-progress.js';

describe('createGoOutput', () => {
  it('counts modules and packages, and nothing else', () => {
    const output = createGoOutput();
    for (const line of [
      'go: downloading k8s.io/api v0.33.13',
      'internal/goarch',
      'k8s.io/kubernetes/pkg/apis/core/v1',
      'gopkg.in/yaml.v3',
      '# k8s.io/kubernetes/cmd/kubelet',
      'main.go:3:1: undefined: start',
    ])
      output.read(line);
    expect(output.summary).to.equal('modules downloaded: 1, packages compiled: 3');
  });
});
