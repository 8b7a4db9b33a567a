"""What Jupyter starts: `python -P -m aplc.notebook -f CONNECTION`."""

from ipykernel.kernelapp import IPKernelApp

from aplc.notebook.kernel import AplKernel

if __name__ == "__main__":
    IPKernelApp.launch_instance(kernel_class=AplKernel)
