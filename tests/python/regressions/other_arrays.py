"""Arrays of no library that launches know: each says where it lies in one way alone."""


class WithInterface:
    """Contiguous arrays say None for their strides there."""

    def __init__(self, array):
        self.array, self.shape = array, array.shape

    @property
    def __array_interface__(self):
        return self.array.__array_interface__


class WithDlpack:
    def __init__(self, array):
        self.array, self.shape = array, array.shape

    def __dlpack__(self, **wishes):
        return self.array.__dlpack__(**wishes)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()
